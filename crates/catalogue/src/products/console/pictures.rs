//! The pictures of a product: its previews, their order, the upload, and how a picture leaves the product.
//!
//! All of it belongs to the form of the product by the attribute `form`, because a button shall send what was typed there.

use maud::{Markup, html};
use pointbook_access::console_kit::visit::Visit;
use pointbook_domain::Product;
use pointbook_http::pages::{Form, PageError};

use super::editor::Draft;
use super::fields::Field;
use super::form::{EDITOR, WITH_FILE};
use super::found::path;
use super::marks::NEW;
use super::picture_steps::PictureStep;
use crate::pictures::console::choice::{Choice, choice};
use crate::pictures::console::upload::file_field;

pub(super) const PLACE: &str = "as";
/// The place of a picture and its URL, with a space between them.
pub(super) const TAKEN: &str = "taken";
/// The place of a picture, the place where it goes, and its URL.
pub(super) const MOVED: &str = "moved";

/// The id of the text that says that a picture would replace an address that was typed and not saved.
pub(super) const MAIN_TYPED: &str = "picture-refused-main-typed";

/// Where a product shows a new picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Main,
    Gallery,
}

impl Place {
    fn name(self) -> &'static str {
        match self {
            Self::Main => "thumbnail",
            Self::Gallery => "gallery",
        }
    }

    pub(super) fn read(name: &str) -> Result<Self, PageError> {
        let found = [Self::Main, Self::Gallery].into_iter().find(|place| place.name() == name);
        found.ok_or(PageError::BadRequest)
    }

    /// The place that an operator chose in a form.
    pub(super) fn chosen(form: &Form) -> Option<Self> {
        form.optional(PLACE).and_then(|name| Self::read(name).ok())
    }

    /// The step that shows a picture there.
    pub(super) fn step(self, url: String) -> PictureStep {
        match self {
            Self::Main => PictureStep::Main(url),
            Self::Gallery => PictureStep::More(url),
        }
    }
}

pub(super) async fn forms(visit: &Visit<'_>, product: &Product, draft: &Draft) -> Result<Markup, PageError> {
    let show = path(visit, &product.id, "/show-picture");
    let stored = choice(visit, &Choice { form: EDITOR, action: &show }).await?;
    Ok(html! {
        h2 #pictures { (visit.words.say("product-pictures")) }
        (present(visit, product))
        @for refusal in &draft.refusals { (refusal.shown(visit)) }
        (add(visit, product, draft.place))
        (stored)
    })
}

fn present(visit: &Visit<'_>, product: &Product) -> Markup {
    if product.thumbnail.is_empty() && product.gallery.is_empty() {
        return html! { p .empty { (visit.words.say("product-pictures-none")) } };
    }
    let last = product.gallery.len();
    let row = std::iter::once(&product.thumbnail).chain(&product.gallery).enumerate();
    html! {
        ul .product-pictures {
            @for (place, url) in row {
                @if place > 0 || !url.is_empty() { (picture(visit, product, (place, last), url)) }
            }
        }
    }
}

/// A picture at a place, of which `last` is the last one, with its buttons.
fn picture(visit: &Visit<'_>, product: &Product, (place, last): (usize, usize), url: &str) -> Markup {
    let words = visit.words;
    let name = match place {
        0 => words.say("product-picture-main"),
        number => words.with("product-picture-number", "number", number.to_string()),
    };
    let button = |action: &str, field: &str, value: String, text: &str, is_off: bool| {
        let label = format!("{}: {name}", words.say(text));
        let action = path(visit, &product.id, action);
        html! {
            button .plain form=(EDITOR) formaction=(action) formnovalidate name=(field) value=(value) aria-label=(label) disabled[is_off] {
                (words.say(text))
            }
        }
    };
    let step = |to: usize, text: &str, is_off: bool| {
        button("/move-picture", MOVED, format!("{place} {to} {url}"), text, is_off)
    };
    html! {
        li {
            img src=(url) alt=(name) width="160" height="160" loading="lazy";
            span { (name) }
            p .buttons {
                (step(0, "product-picture-first", place == 0))
                (step(place.saturating_sub(1), "product-picture-earlier", place == 0))
                (step(place + 1, "product-picture-later", place == last))
                (button("/take-picture", TAKEN, format!("{place} {url}"), "product-picture-take", false))
            }
        }
    }
}

/// The form for one more picture: its place, and a file. The choice of stored pictures follows, and takes the same place.
fn add(visit: &Visit<'_>, product: &Product, place: Option<Place>) -> Markup {
    let words = visit.words;
    let action = path(visit, &product.id, "/pictures");
    let (main, usual) = if product.thumbnail.is_empty() {
        ("product-picture-main", Place::Main)
    } else {
        ("product-picture-as-new-main", Place::Gallery)
    };
    html! {
        h3 { (words.say("product-picture-add")) }
        div .stack {
            (places(visit, [main, "product-picture-as-more"], place.unwrap_or(usual)))
            (file_field(visit, Some(EDITOR)))
            button form=(EDITOR) formaction=(action) formenctype=(WITH_FILE) formnovalidate {
                (words.say("product-picture-upload"))
            }
        }
    }
}

/// Where the product shows the next picture, with the texts of the two places.
fn places(visit: &Visit<'_>, texts: [&str; 2], chosen: Place) -> Markup {
    let words = visit.words;
    html! {
        fieldset .field {
            legend { (words.say("product-picture-as")) }
            @for (place, text) in [Place::Main, Place::Gallery].into_iter().zip(texts) {
                label .check {
                    input type="radio" form=(EDITOR) name=(PLACE) value=(place.name()) checked[place == chosen];
                    (words.say(text))
                }
            }
        }
    }
}

/// The fields of the picture of a new product. They belong to its form, whose button stores the file.
pub(super) fn fields_of_new(visit: &Visit<'_>, draft: &Draft) -> Markup {
    let has_main = !draft.texts.get(Field::Thumbnail).is_empty();
    let usual = if has_main { Place::Gallery } else { Place::Main };
    let texts = ["product-picture-main", "product-picture-as-more"];
    html! {
        h2 #pictures { (visit.words.say("product-pictures")) }
        @for refusal in &draft.refusals { (refusal.shown(visit)) }
        (places(visit, texts, draft.place.unwrap_or(usual)))
        (file_field(visit, Some(EDITOR)))
    }
}

/// The stored pictures for the form of a new product. Nothing when there are none.
pub(super) async fn stored_for_new(visit: &Visit<'_>) -> Result<Markup, PageError> {
    let show = visit.path(&format!("{NEW}/picture"));
    choice(visit, &Choice { form: EDITOR, action: &show }).await
}
