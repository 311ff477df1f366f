//! The fields about the stock of a product, and its retirement.

use maud::{Markup, html};
use pointbook_access::console_kit::components::{danger, field};
use pointbook_access::console_kit::mistakes::mistakes;
use pointbook_access::console_kit::visit::Visit;
use pointbook_domain::errors::FieldErrors;
use pointbook_http::pages::{Form, PageError};
use pointbook_store::ports::StoredProduct;

use super::form::EDITOR;
use super::found::path;

pub(super) const DIFFERENCE: &str = "difference";
pub(super) const STOCK: &str = "stock";
/// The stock that the page showed.
pub(super) const SEEN_STOCK: &str = "seen_stock";
/// The text that says that the stock is another one than the page showed.
pub(super) const OTHER_STOCK: &str = "product-refused-other-stock";

/// What the operator typed about the stock.
#[derive(Clone, Default)]
pub(super) struct StockForms {
    pub(super) difference: String,
    /// `None` for the stock that the page showed.
    pub(super) stock: Option<String>,
    /// The stock that the page showed when `stock` was typed.
    pub(super) seen: String,
    pub(super) errors: FieldErrors,
    /// The id of the text that says why the stock cannot be changed so.
    pub(super) refusal: Option<&'static str>,
}

impl StockForms {
    pub(super) fn of(form: &Form) -> Self {
        let seen = form.optional(SEEN_STOCK).unwrap_or_default();
        let stock = form.optional(STOCK).filter(|stock| stock.trim() != seen);
        let difference = form.optional(DIFFERENCE).unwrap_or_default().to_owned();
        Self { difference, stock: stock.map(str::to_owned), seen: seen.to_owned(), ..Self::default() }
    }

    /// Whether there is something that is not saved yet.
    pub(super) fn is_typed(&self) -> bool {
        !self.difference.trim().is_empty() || self.stock.is_some()
    }
}

/// The fields belong to the form of the product by the attribute `form`, because each button of the page sends what was typed anywhere
/// on it.
pub(super) fn forms(
    visit: &Visit<'_>,
    stored: &StoredProduct,
    typed: &StockForms,
) -> Result<Markup, PageError> {
    let (id, pieces) = (&stored.product.id, stored.product.stock);
    let known = pieces.map_or_else(String::new, |pieces| pieces.to_string());
    // A number that was typed against an older stock stays one of that stock, until a page says that the stock is another one.
    let is_told = typed.refusal == Some(OTHER_STOCK);
    let seen = if typed.stock.is_some() && !is_told { &typed.seen } else { &known };
    let amount = typed.stock.as_ref().unwrap_or(&known);
    let add = html! {
        input form=(EDITOR) name=(DIFFERENCE) value=(typed.difference) inputmode="text" autocomplete="off";
        (mistakes(visit, &typed.errors, DIFFERENCE))
    };
    let set = html! {
        input form=(EDITOR) name=(STOCK) value=(amount) inputmode="numeric" autocomplete="off";
        span .hint-text { (visit.words.say("product-set-stock-hint")) }
        (mistakes(visit, &typed.errors, STOCK))
    };
    let [add_path, set_path] = ["/stock", "/set-stock"].map(|below| path(visit, id, below));
    Ok(html! {
        h2 #stock { (visit.words.say("product-stock-title")) }
        @if let Some(text) = typed.refusal { p .error role="alert" { (visit.words.say(text)) } }
        input form=(EDITOR) type="hidden" name=(SEEN_STOCK) value=(seen);
        div .editor {
            @if pieces.is_some() { (part(visit, &add_path, ["product-difference", "product-add-stock"], &add)) }
            (part(visit, &set_path, ["product-set-stock", "product-save-stock"], &set))
        }
        (danger(visit, &path(visit, id, "/retire"), "product-retire", html! {
            p { (visit.words.say("product-retire-hint")) }
        })?)
    })
}

/// A field with its own button. Enter in the field presses it, where there is a script.
fn part(visit: &Visit<'_>, action: &str, [label, button]: [&str; 2], input: &Markup) -> Markup {
    html! {
        div .stack data-enter {
            (field(visit, label, input))
            button form=(EDITOR) formaction=(action) formnovalidate { (visit.words.say(button)) }
        }
    }
}
