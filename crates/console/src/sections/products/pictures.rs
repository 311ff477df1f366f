//! The pictures of a product: its previews, the upload, and how a picture leaves the product.

use maud::{Markup, html};
use pointbook_domain::{PictureFormat, Product};
use pointbook_page_kit::{FormLimits, PageError, form_token};

use super::editor::path;
use pointbook_console_kit::components::{clipped, field};
use pointbook_console_kit::visit::Visit;

/// The form with a picture. It takes more than a picture may have, so that a larger one, such as that of a camera, gets a page that
/// says why it is refused.
pub(super) const UPLOAD: FormLimits = FormLimits { bytes: 8 * 1024 * 1024, fields: 8, files: 1 };

pub(super) const FILE: &str = "picture";
/// The main picture that the page showed.
pub(super) const SEEN: &str = "was";
pub(super) const PLACE: &str = "as";
/// The place of a picture and its URL, with a space between them.
pub(super) const TAKEN: &str = "taken";

/// How much of the name of a file a page shows.
const MAX_NAME_CHARS: usize = 80;

/// Where a product shows a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Thumbnail,
    Gallery,
}

impl Place {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Thumbnail => "thumbnail",
            Self::Gallery => "gallery",
        }
    }

    pub(super) fn read(name: &str) -> Result<Self, PageError> {
        let found = [Self::Thumbnail, Self::Gallery].into_iter().find(|place| place.name() == name);
        found.ok_or(PageError::BadRequest)
    }
}

/// Why a picture was not added.
pub(super) struct Refusal {
    /// The id of the text.
    pub(super) text: &'static str,
    /// The name of the file, as the browser sent it.
    pub(super) file: Option<String>,
}

pub(super) fn forms(
    visit: &Visit<'_>,
    product: &Product,
    refusal: Option<&Refusal>,
) -> Result<Markup, PageError> {
    Ok(html! {
        h2 #pictures { (visit.words.say("product-pictures")) }
        (present(visit, product)?)
        @if let Some(Refusal { text, file }) = refusal {
            p .error role="alert" {
                @if let Some(file) = file { bdi { (clipped(file, MAX_NAME_CHARS)) } ": " }
                (visit.words.say(text))
            }
        }
        (upload(visit, product)?)
    })
}

/// One form with a button for each picture.
fn present(visit: &Visit<'_>, product: &Product) -> Result<Markup, PageError> {
    let main = Some(&product.thumbnail).filter(|url| !url.is_empty());
    if main.is_none() && product.gallery.is_empty() {
        return Ok(html! { p .empty { (visit.words.say("product-pictures-none")) } });
    }
    let numbered = |number: usize| visit.words.with("product-picture-number", "number", number.to_string());
    Ok(html! {
        form method="post" action=(path(visit, &product.id, "/take-picture")) {
            (form_token(&visit.signed_in()?.form_token))
            ul .product-pictures {
                @if let Some(url) = main {
                    (picture(visit, Place::Thumbnail, url, &visit.words.say("product-picture-main")))
                }
                @for (number, url) in (1..).zip(&product.gallery) {
                    (picture(visit, Place::Gallery, url, &numbered(number)))
                }
            }
        }
    })
}

fn picture(visit: &Visit<'_>, place: Place, url: &str, name: &str) -> Markup {
    html! {
        li {
            img src=(url) alt=(name) width="160" height="160" loading="lazy";
            span { (name) }
            button .plain name=(TAKEN) value={ (place.name()) " " (url) } aria-label={ (visit.words.say("product-picture-take")) ": " (name) } {
                (visit.words.say("product-picture-take"))
            }
        }
    }
}

fn upload(visit: &Visit<'_>, product: &Product) -> Result<Markup, PageError> {
    let words = visit.words;
    let accepted = PictureFormat::ALL.map(PictureFormat::content_type).join(",");
    let has_main = !product.thumbnail.is_empty();
    Ok(html! {
        form .stack method="post" enctype="multipart/form-data" action=(path(visit, &product.id, "/pictures")) {
            (form_token(&visit.signed_in()?.form_token))
            input type="hidden" name=(SEEN) value=(product.thumbnail);
            (field(visit, "product-picture-file", html! {
                input type="file" name=(FILE) accept=(accepted) required;
                span .hint-text { (words.say("product-picture-file-hint")) }
            }))
            fieldset .field {
                legend { (words.say("product-picture-as")) }
                label .check {
                    input type="radio" name=(PLACE) value=(Place::Thumbnail.name()) checked[!has_main];
                    (words.say(if has_main { "product-picture-as-new-main" } else { "product-picture-main" }))
                }
                label .check {
                    input type="radio" name=(PLACE) value=(Place::Gallery.name()) checked[has_main];
                    (words.say("product-picture-as-more"))
                }
            }
            button { (words.say("product-picture-upload")) }
        }
    })
}
