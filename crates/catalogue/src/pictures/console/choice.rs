//! Stored pictures to choose from, on other pages than that of all pictures.

use maud::{Markup, html};
use pointbook_access::console_kit::Visit;
use pointbook_domain::{PageNumber, PageRequest, PageSize, Picture, PictureId};
use pointbook_http::pages::{Form, PageError, moment};

use crate::pictures::console::card::name;
use crate::pictures::console::list::PICTURES;
use crate::pictures::{find_picture, list_pictures, url_of};

/// How many pictures a form offers. The others are on the page of all pictures.
const OFFERED: u32 = 24;

/// The field of the buttons, and the parameter of an address with a picture that was chosen before: the id of a picture.
const CHOSEN: &str = "picture-id";

/// The buttons of pictures send the form with this HTML id to this address.
pub(crate) struct Choice<'c> {
    pub form: &'c str,
    pub action: &'c str,
}

/// The picture in the address of the page. `None` when the address names no stored picture.
///
/// # Errors
/// When the store fails.
pub(crate) async fn asked(visit: &Visit<'_>) -> Result<Option<Picture>, PageError> {
    match PictureId::parse(&visit.query(CHOSEN)) {
        Ok(id) => Ok(find_picture(&*visit.served.data, &id).await?),
        Err(_) => Ok(None),
    }
}

/// The address of a page with a picture that was chosen for it.
pub(crate) fn address_with(path: &str, picture: &Picture) -> String {
    format!("{path}?{CHOSEN}={}", picture.id)
}

/// The parameter that keeps the choice, for other addresses of the same page.
pub(crate) fn parameter(picture: &Picture) -> (&'static str, String) {
    (CHOSEN, picture.id.to_string())
}

/// The picture of the button that was pressed. `None` when it is gone.
///
/// # Errors
/// [`PageError::BadRequest`] when no button has the value, otherwise when the store fails.
pub(crate) async fn pressed(visit: &Visit<'_>, form: &Form) -> Result<Option<Picture>, PageError> {
    let id = PictureId::parse(form.field(CHOSEN)?).map_err(|_| PageError::BadRequest)?;
    Ok(find_picture(&*visit.served.data, &id).await?)
}

/// The newest pictures, each with a button. The one in the address of the page is the first, and the list is open then.
///
/// # Errors
/// When the store fails.
pub(crate) async fn choice(visit: &Visit<'_>, at: &Choice<'_>) -> Result<Markup, PageError> {
    let size = PageSize::new(OFFERED).unwrap_or(PageSize::DEFAULT);
    let newest = list_pictures(&*visit.served.data, PageRequest { number: PageNumber::FIRST, size }).await?;
    if newest.items.is_empty() {
        return Ok(html! {});
    }
    let asked = asked(visit).await?;
    let is_asked = |picture: &&Picture| asked.as_ref().is_some_and(|asked| asked.id == picture.id);
    let others = newest.items.iter().filter(|picture| !is_asked(picture));
    let words = visit.words;
    Ok(html! {
        details .panel .wide open[asked.is_some()] {
            summary { (words.say("picture-choose")) }
            ul .product-pictures {
                @if let Some(picture) = &asked { (card(visit, at, picture, true)) }
                @for picture in others { (card(visit, at, picture, false)) }
            }
            p {
                @if newest.total > u64::from(OFFERED) { (words.say("picture-choose-newest")) " " }
                a href=(visit.path(PICTURES)) { (words.say("pictures-all")) }
            }
        }
    })
}

fn card(
    visit: &Visit<'_>,
    Choice { form, action }: &Choice<'_>,
    picture: &Picture,
    is_asked: bool,
) -> Markup {
    let (words, name) = (visit.words, name(visit, picture));
    let button = words.say("picture-show-here");
    html! {
        li .marked[is_asked] {
            img src=(url_of(&visit.served.tenant, picture)) alt=(name) width="160" height="160" loading="lazy";
            span { (name) }
            span .quiet { (moment(picture.created_at, &visit.served, words)) }
            button .plain form=(form) formaction=(action) formnovalidate name=(CHOSEN) value=(picture.id) aria-label={ (button) ": " (name) } {
                (button)
            }
        }
    }
}

/// What a page says while an operator looks for the product that shall show a picture.
pub(crate) fn sought_for(visit: &Visit<'_>, picture: &Picture) -> Markup {
    html! {
        div .notice .with-picture {
            img src=(url_of(&visit.served.tenant, picture)) alt=(name(visit, picture)) width="64" height="64";
            p { (visit.words.say("picture-choose-product")) }
        }
    }
}
