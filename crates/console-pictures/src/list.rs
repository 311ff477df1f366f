//! The page with all pictures, and the upload of one.

use http::StatusCode;
use maud::{Markup, html};
use pointbook_console_kit::components::{empty, respond_with};
use pointbook_console_kit::visit::Visit;
use pointbook_domain::Scope;
use pointbook_http_kernel::Response;
use pointbook_page_kit::{PageError, form_token, number, pager, see_other};
use pointbook_pictures::{NamedProducts, find_uses, list_pictures};

use crate::PICTURES;
use crate::card::card;
use crate::missing::{links, notice};
use crate::upload::{Refusal, file_field, store};

/// The section that the navigation marks.
const SECTION: &str = "/products";

const PICTURES_PER_PAGE: u32 = 24;

/// Why a form did nothing.
pub(crate) enum Said {
    Nothing,
    Upload(Refusal),
    /// These products show the picture that was to be removed.
    Used(NamedProducts),
}

impl Said {
    fn code(&self) -> StatusCode {
        match self {
            Self::Nothing => StatusCode::OK,
            Self::Upload(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Self::Used(_) => StatusCode::CONFLICT,
        }
    }
}

pub(crate) async fn show(visit: &Visit<'_>) -> Result<Response, PageError> {
    page(visit, &Said::Nothing).await
}

/// Stores the picture of the form, which no product shows yet.
pub(crate) async fn add(visit: &Visit<'_>) -> Result<Response, PageError> {
    let form = visit.form_of_session().await?;
    match store(visit, &form).await? {
        Ok(added) => {
            let said = if added.is_new { "picture-added" } else { "picture-known" };
            Ok(see_other(&visit.path(&format!("{PICTURES}?said={said}"))))
        }
        Err(refusal) => page(visit, &Said::Upload(refusal)).await,
    }
}

/// A page of the list again, with the parameter `said` or without.
pub(crate) fn address(visit: &Visit<'_>, below: &str, said: &str) -> String {
    let number = visit.page(PICTURES_PER_PAGE).number;
    format!("{}?{said}page={}", visit.path(below), number.get())
}

pub(crate) async fn page(visit: &Visit<'_>, said: &Said) -> Result<Response, PageError> {
    let words = visit.words;
    let page = visit.page(PICTURES_PER_PAGE);
    let pictures = list_pictures(&*visit.served.data, page).await?;
    let wanted = pictures.items.iter().map(|picture| picture.id).collect();
    let uses = find_uses(&visit.served, visit.now, wanted).await?;
    let may_write = visit.signed_in()?.operator.role.has(Scope::ProductsWrite);
    let total = i64::try_from(pictures.total).unwrap_or(i64::MAX);
    let cards = pictures.items.iter().map(|picture| card(visit, picture, uses.of(&picture.id), may_write));
    let content = html! {
        p .back { a href=(visit.path(SECTION)) { "← " (words.say("products")) } }
        @if let Said::Used(products) = said {
            p .error role="alert" { (words.say("picture-used")) " " (links(visit, products)) }
        }
        (notice(visit, &uses.missing))
        @if may_write { (upload_form(visit, said)?) }
        p .count role="status" { (words.with("picture-count", "count", number(total, words))) }
        @if pictures.items.is_empty() {
            (empty(visit, if total == 0 { "picture-none" } else { "picture-none-here" }))
        } @else {
            (form_of(visit, &html! { ul .product-pictures { @for card in cards { (card) } } }, may_write)?)
        }
        (pager(words, &page.window(pictures.total), &visit.address_of_pages(PICTURES, &[])))
    };
    Ok(respond_with(visit, said.code(), SECTION, &words.say("pictures"), &content))
}

/// One form for all buttons.
fn form_of(visit: &Visit<'_>, cards: &Markup, may_write: bool) -> Result<Markup, PageError> {
    let action = address(visit, "/pictures/remove", "");
    let token = &visit.signed_in()?.form_token;
    Ok(html! {
        @if may_write {
            form method="post" action=(action) { (form_token(token)) (cards) }
        } @else {
            (cards)
        }
    })
}

fn upload_form(visit: &Visit<'_>, said: &Said) -> Result<Markup, PageError> {
    Ok(html! {
        @if let Said::Upload(refusal) = said { (refusal.shown(visit)) }
        form .stack method="post" enctype="multipart/form-data" action=(visit.path(PICTURES)) {
            (form_token(&visit.signed_in()?.form_token))
            (file_field(visit, None))
            button { (visit.words.say("product-picture-upload")) }
        }
    })
}
