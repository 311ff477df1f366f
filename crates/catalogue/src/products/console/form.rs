//! The form with all fields of a product.

use maud::{Markup, Render, html};
use pointbook_access::console_kit::mistakes::mistakes;
use pointbook_access::console_kit::visit::Visit;
use pointbook_domain::CategoryTree;
use pointbook_domain::errors::FieldErrors;
use pointbook_domain::id::MAX_ID_CHARS;
use pointbook_http::pages::FormLimits;
use pointbook_store::limits::{MAX_TITLE_CHARS, MAX_URL_CHARS};

use super::fields::{Field, Texts};
use crate::categories::console::choice::{Finder, boxes};

/// The HTML id of the form. The buttons of pictures below the form belong to it.
pub(super) const EDITOR: &str = "editor";

/// What a button of the page of a product sends without a file. The longest description may have three bytes for each character,
/// and three times as many in a form.
pub(super) const TEXTS: FormLimits =
    FormLimits { bytes: 1024 * 1024, fields: 1_000, files: 0, too_large: FormLimits::TOO_LARGE };

/// The encoding of a button that sends a chosen file.
pub(super) const WITH_FILE: &str = "multipart/form-data";

/// What the form shows.
pub(super) struct Shown<'f> {
    pub(super) texts: &'f Texts,
    /// What is wrong, by the names of the interface.
    pub(super) errors: &'f FieldErrors,
    /// What another person saved in these fields meanwhile.
    pub(super) theirs: &'f [(Field, String)],
    pub(super) tree: &'f CategoryTree,
    /// The address that shows the form again with the categories that the search finds. `None` when the operator may not change products.
    pub(super) again: Option<&'f str>,
    pub(super) search: &'f str,
    /// The chosen ids that neither a category nor the stored product has.
    pub(super) unknown: &'f [&'f str],
    /// URLs of pictures of this server that are gone.
    pub(super) gone: &'f [&'f str],
}

impl Shown<'_> {
    /// The fields of a new product beside those of every product.
    pub(super) fn new_fields(&self, visit: &Visit<'_>, id: &str, stock: &str) -> Markup {
        html! {
            (self.labelled(visit, "product-id", "id", html! {
                input name="id" value=(id) maxlength=(MAX_ID_CHARS) required aria-describedby="about-id";
                span .hint-text #about-id { (visit.words.say("product-id-hint")) }
            }))
            (self.labelled(visit, "product-stock", "stock", html! {
                input name="stock" value=(stock) inputmode="numeric" aria-describedby="about-stock";
                span .hint-text #about-stock { (visit.words.say("product-stock-hint")) }
            }))
        }
    }

    pub(super) fn fields(&self, visit: &Visit<'_>) -> Markup {
        html! { @for field in Field::ALL { (self.field(visit, field)) } }
    }

    fn field(&self, visit: &Visit<'_>, field: Field) -> Markup {
        let (name, text) = (field.name(), self.texts.get(field));
        let input = match field {
            Field::Title | Field::Sku => {
                html! { input name=(name) value=(text) maxlength=(MAX_TITLE_CHARS) required; }
            }
            Field::RegularPrice => html! { input name=(name) value=(text) inputmode="numeric" required; },
            Field::SalePrice => html! { input name=(name) value=(text) inputmode="numeric"; },
            Field::Description => html! { textarea name=(name) rows="12" { "\n" (text) } },
            Field::Thumbnail => {
                html! { input type="url" name=(name) value=(text) maxlength=(MAX_URL_CHARS); }
            }
            Field::Gallery => html! { textarea .short name=(name) rows="3" { "\n" (text) } },
            Field::PublishedAt => html! { input type="datetime-local" name=(name) value=(text); },
            Field::Categories => return self.categories(visit),
            Field::Popular | Field::Active => return self.tick(visit, field),
        };
        let hint = hint(field);
        let input = html! {
            (input)
            @if let Some(hint) = hint { span .hint-text { (visit.words.say(hint)) } }
            (self.gone(visit, field))
            (self.saved_meanwhile(visit, field))
        };
        self.labelled(visit, label(field), name, input)
    }

    fn labelled(&self, visit: &Visit<'_>, label: &str, name: &str, input: impl Render) -> Markup {
        html! { label .field { span { (visit.words.say(label)) } (input) (mistakes(visit, self.errors, name)) } }
    }

    fn tick(&self, visit: &Visit<'_>, field: Field) -> Markup {
        let is_set = !self.texts.get(field).is_empty();
        html! {
            label .check { input type="checkbox" name=(field.name()) value="1" checked[is_set]; (visit.words.say(label(field))) }
            (self.saved_meanwhile(visit, field))
        }
    }

    fn categories(&self, visit: &Visit<'_>) -> Markup {
        let (name, words) = (Field::Categories.name(), visit.words);
        let chosen: Vec<&str> = self.texts.get(Field::Categories).lines().collect();
        let finder =
            self.again.map(|address| Finder { search: self.search, address, encoding: Some(WITH_FILE) });
        html! {
            fieldset .field #categories {
                legend { (words.say("product-categories")) }
                (boxes(visit, self.tree, (name, &chosen), finder.as_ref()))
                @for id in self.unknown { span .error role="alert" { (words.with("category-unknown-id", "id", *id)) } }
                (self.saved_meanwhile(visit, Field::Categories))
                (mistakes(visit, self.errors, name))
            }
        }
    }

    /// The pictures that the field names and that are gone.
    fn gone(&self, visit: &Visit<'_>, field: Field) -> Markup {
        let is_of_pictures = matches!(field, Field::Thumbnail | Field::Gallery);
        let mut named =
            self.texts.get(field).lines().filter(|url| is_of_pictures && self.gone.contains(url)).peekable();
        html! {
            @if named.peek().is_some() {
                span .error { (visit.words.say("product-picture-gone")) @for url in named { " " (url) } }
            }
        }
    }

    /// The value of another person, beside the one of this operator.
    fn saved_meanwhile(&self, visit: &Visit<'_>, field: Field) -> Markup {
        let words = visit.words;
        html! {
            @for (_, text) in self.theirs.iter().filter(|(other, _)| *other == field) {
                span .saved-meanwhile {
                    (words.say("product-saved-meanwhile")) " "
                    @match (field, text.is_empty()) {
                        (Field::Popular | Field::Active, true) => (words.say("product-off")),
                        (Field::Popular | Field::Active, false) => (words.say("product-on")),
                        (_, true) => (words.say("product-nothing")),
                        (_, false) => q { (text) },
                    }
                }
            }
        }
    }
}

fn label(field: Field) -> &'static str {
    match field {
        Field::Title => "product-title",
        Field::Sku => "product-sku",
        Field::RegularPrice => "product-regular-price",
        Field::SalePrice => "product-sale-price",
        Field::Description => "product-description",
        Field::Thumbnail => "product-thumbnail",
        Field::Gallery => "product-gallery",
        Field::Categories => "product-categories",
        Field::PublishedAt => "product-published-at",
        Field::Popular => "product-is-popular",
        Field::Active => "product-is-active",
    }
}

fn hint(field: Field) -> Option<&'static str> {
    match field {
        Field::SalePrice => Some("product-sale-price-hint"),
        Field::Gallery => Some("product-gallery-hint"),
        Field::PublishedAt => Some("product-published-at-hint"),
        _ => None,
    }
}
