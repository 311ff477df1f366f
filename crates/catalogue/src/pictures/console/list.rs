//! The page with all pictures: which products show them, the upload, and the removal of one.

use http::StatusCode;
use maud::{Markup, html};
use pointbook_access::console_kit::components::{empty_list, field};
use pointbook_access::console_kit::path_part::segment;
use pointbook_access::console_kit::sheet::Sheet;
use pointbook_access::console_kit::{Visit, assets};
use pointbook_domain::{Picture, PictureId, Scope};
use pointbook_http::kernel::Response;
use pointbook_http::pages::{PageError, form_token, number, pager, see_other};

use crate::pictures::console::card::{REMOVED, card, name};
use crate::pictures::console::choice::{address_with, asked, parameter};
use crate::pictures::upload::{Refusal, file_field, store};
use crate::pictures::{NamedProducts, PictureRemoval, find_uses, list_pictures, remove_picture, url_of};

/// The page with all pictures.
pub(crate) const PICTURES: &str = "/pictures";

/// The list of products. The navigation marks its section.
pub(crate) const PRODUCTS: &str = "/products";

/// The page of a new product.
pub(crate) const NEW_PRODUCT: &str = "/new-product";

const PICTURES_PER_PAGE: u32 = 24;

/// Why a form did nothing.
pub(crate) enum Notice {
    Nothing,
    Upload(Refusal),
    /// These products show the picture that was to be removed.
    Used(NamedProducts),
}

impl Notice {
    fn code(&self) -> StatusCode {
        match self {
            Self::Nothing => StatusCode::OK,
            Self::Upload(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Self::Used(_) => StatusCode::CONFLICT,
        }
    }
}

pub(crate) async fn show(visit: &Visit<'_>) -> Result<Response, PageError> {
    page(visit, &Notice::Nothing).await
}

/// Stores the picture of the form, which no product shows yet.
pub(crate) async fn add(visit: &Visit<'_>) -> Result<Response, PageError> {
    let form = visit.form_of_session().await?;
    match store(visit, &form, |_| None).await? {
        Ok(added) => {
            let said = if added.is_new { "picture-added" } else { "picture-known" };
            let (name, id) = parameter(&added.picture);
            Ok(see_other(&visit.path(&format!("{PICTURES}?said={said}&{name}={id}"))))
        }
        Err(refusal) => page(visit, &Notice::Upload(refusal)).await,
    }
}

/// A page of the list again, with the parameter `said` or without.
pub(crate) fn address(visit: &Visit<'_>, below: &str, said: &str) -> String {
    let number = visit.page(PICTURES_PER_PAGE).number;
    format!("{}?{said}page={}", visit.path(below), number.get())
}

pub(crate) async fn page(visit: &Visit<'_>, said: &Notice) -> Result<Response, PageError> {
    let words = visit.words;
    let page = visit.page(PICTURES_PER_PAGE);
    let pictures = list_pictures(&*visit.served.data, page).await?;
    let wanted = pictures.items.iter().map(|picture| picture.id).collect();
    let uses = find_uses(&visit.served, visit.now, wanted).await?;
    let may_write = visit.signed_in()?.operator.role.has(Scope::ProductsWrite);
    let window = page.window(pictures.total);
    let asked = asked(visit).await?;
    let cards = pictures.items.iter().map(|picture| card(visit, picture, uses.of(&picture.id), may_write));
    let content = html! {
        @if let Notice::Used(products) = said {
            p .error role="alert" { (words.say("picture-used")) " " (links(visit, products)) }
        }
        @if let Some(picture) = &asked { (chosen(visit, picture, may_write)) }
        (notice(visit, &uses.missing))
        @if let Notice::Upload(refusal) = said { (refusal.shown(visit)) }
        @if pictures.items.is_empty() {
            (empty_list(visit, &window, "picture-none"))
        } @else {
            (form_of(visit, &html! { ul .product-pictures { @for card in cards { (card) } } }, may_write)?)
        }
        (pager(words, &window, &visit.address_of_pages(PICTURES, &[])))
    };
    let upload = if may_write {
        upload_form(visit, said)?
    } else {
        html! {}
    };
    Ok(Sheet::new(visit, PRODUCTS, words.say("pictures"))
        .count(pictures.total)
        .actions(upload)
        .styled(&[assets::CATALOGUE])
        .respond_with(said.code(), &content))
}

/// A picture that was uploaded just now: its address to copy, and where to show it.
fn chosen(visit: &Visit<'_>, picture: &Picture, may_write: bool) -> Markup {
    let words = visit.words;
    let url = url_of(&visit.served.tenant, picture);
    html! {
        section .notice .with-picture {
            img src=(url) alt=(name(visit, picture)) width="64" height="64";
            div {
                (field(visit, "picture-address", html! { input type="url" value=(url) readonly; }))
                @if may_write {
                    p .acts {
                        a href=(address_with(&visit.path(PRODUCTS), picture)) { (words.say("picture-use")) }
                        a href=(address_with(&visit.path(NEW_PRODUCT), picture)) { (words.say("picture-use-new")) }
                    }
                }
            }
        }
    }
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

fn upload_form(visit: &Visit<'_>, said: &Notice) -> Result<Markup, PageError> {
    Ok(html! {
        details .panel open[matches!(said, Notice::Upload(_))] {
            summary { (visit.words.say("product-picture-upload")) }
            form .stack method="post" enctype="multipart/form-data" action=(visit.path(PICTURES)) {
                (form_token(&visit.signed_in()?.form_token))
                (file_field(visit))
                button { (visit.words.say("product-picture-upload")) }
            }
        }
    })
}

/// A form that is sent twice removes one picture.
pub(crate) async fn remove(visit: &Visit<'_>) -> Result<Response, PageError> {
    let form = visit.form_of_session().await?;
    let id = PictureId::parse(form.field(REMOVED)?).map_err(|_| PageError::BadRequest)?;
    let said = match remove_picture(&visit.context()?, id).await? {
        PictureRemoval::Removed => "said=picture-removed&",
        PictureRemoval::Unknown => "said=picture-gone&",
        PictureRemoval::Logo => "said=picture-is-logo&",
        PictureRemoval::Used(product) => {
            let stored = visit.served.data.product(&product).await?;
            let title = stored.map(|stored| stored.product.title).unwrap_or_default();
            let first = vec![(product.as_str().to_owned(), title)];
            return page(visit, &Notice::Used(NamedProducts { count: 1, first })).await;
        }
    };
    Ok(see_other(&address(visit, PICTURES, said)))
}

/// Links to the first products, and how many there are besides. Products with the same title show their ids, too.
pub(crate) fn links(visit: &Visit<'_>, products: &NamedProducts) -> Markup {
    let named = u64::try_from(products.first.len()).unwrap_or(u64::MAX);
    let others = i64::try_from(products.count.saturating_sub(named)).unwrap_or(i64::MAX);
    let is_shared =
        |title: &str| products.first.iter().filter(|(_, other)| other.trim() == title).count() > 1;
    html! {
        @for (at, (id, title)) in products.first.iter().enumerate() {
            @let title = title.trim();
            @if at > 0 { ", " }
            a href=(visit.path(&format!("/products/{}", segment(id)))) {
                @if title.is_empty() { bdi { (id) } } @else {
                    bdi { (title) }
                    @if is_shared(title) { " (" bdi { (id) } ")" }
                }
            }
        }
        @if others > 0 { " " (visit.words.with("picture-more-products", "count", number(others, visit.words))) }
    }
}

pub(crate) fn notice(visit: &Visit<'_>, missing: &NamedProducts) -> Markup {
    html! {
        @if missing.count > 0 {
            div .notice { p { (visit.words.say("picture-missing")) } p { (links(visit, missing)) } }
        }
    }
}
