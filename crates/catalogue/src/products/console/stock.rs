//! The stock of a product, and its retirement.

use maud::{Markup, html};
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::components::{danger, field, mistakes};
use pointbook_access::console_kit::once::{once_context, was_refused};
use pointbook_domain::errors::FieldErrors;
use pointbook_domain::json::Json;
use pointbook_domain::{FieldChange, ProductId, ProductPatch};
use pointbook_http::body::{BodyFields, integer_in};
use pointbook_http::kernel::Response;
use pointbook_http::pages::{Form, PageError, see_other};
use pointbook_store::ports::{
    Execution, ProductCondition, ProductEditOutcome, ProductEditRefusal, ProductState, StoredProduct,
};

use super::editor::{find, path, path_id};
use super::form::{Texts, whole};
use super::form_values::Sent;
use super::list::SECTION;
use crate::products::draft::ProductPatchDraft;
use crate::products::edit::{add_stock, patch_product, retire_product};
use crate::products::managed::read_stock_change;

/// Shows what is wrong with the stock that was typed.
async fn refuse(
    visit: &Visit<'_>,
    sent: Sent,
    errors: FieldErrors,
    refusal: Option<&'static str>,
) -> Result<Response, PageError> {
    Sent { stock: StockForms { errors, refusal, ..sent.stock }, ..sent }.refused(visit).await
}

/// The page with the new stock, and with what else was typed.
async fn changed(visit: &Visit<'_>, sent: Sent, stored: &StoredProduct) -> Result<Response, PageError> {
    told(visit, sent, stored, "product-stock-changed").await
}

/// The page with the stock of now, with what was done, and with what else was typed.
async fn told(
    visit: &Visit<'_>,
    sent: Sent,
    stored: &StoredProduct,
    said: &'static str,
) -> Result<Response, PageError> {
    let typed = sent.typed.beside(&Texts::of_product(&stored.product, &visit.served.zone()));
    Sent { typed, ..sent }.done(visit, stored, said).await
}

/// Adds pieces or takes pieces out, once for each form.
pub(super) async fn add(visit: &Visit<'_>) -> Result<Response, PageError> {
    let form = visit.form_of_session().await?;
    let (id, typed, sent) = (path_id(visit)?, form.field(DIFFERENCE)?, Sent::read(visit, &form)?);
    let members = [(DIFFERENCE.to_owned(), whole(typed))];
    let difference = match read_stock_change(BodyFields::new(&members, FieldErrors::default())) {
        Ok(difference) => difference,
        Err(errors) => return refuse(visit, sent, errors, None).await,
    };
    let request = format!("product.add_stock\n{id}\n{difference}");
    let is_refusal = |outcome: &ProductEditOutcome| !matches!(outcome, ProductEditOutcome::Stored(..));
    let context = once_context(visit, &form, &request, is_refusal)?;
    let added = |sent: Sent| Sent { stock: StockForms { difference: String::new(), ..sent.stock }, ..sent };
    match add_stock(&context, id.clone(), difference, ProductCondition::Exists).await? {
        Execution::Executed(ProductEditOutcome::Stored(_, stored)) => {
            changed(visit, added(sent), &stored).await
        }
        Execution::Replayed(answer) if was_refused(&answer) => {
            refuse(visit, sent, FieldErrors::default(), Some("member-fault-refused-before")).await
        }
        Execution::Replayed(_) => changed(visit, added(sent), &find(visit).await?).await,
        Execution::Executed(ProductEditOutcome::Refused(refusal)) => {
            refuse(visit, sent, FieldErrors::default(), Some(refusal_text(refusal))).await
        }
        Execution::Executed(_) => Err(PageError::NotFound),
        Execution::KeyTaken => Err(PageError::BadRequest),
        Execution::TooManyKeys => Err(PageError::TooManyRequests { retry_after_seconds: None }),
    }
}

pub(super) fn refusal_text(refusal: ProductEditRefusal) -> &'static str {
    match refusal {
        ProductEditRefusal::UnlimitedStock => "product-refused-unlimited",
        ProductEditRefusal::TooFewPieces => "product-refused-too-few",
        ProductEditRefusal::TooManyPieces => "product-refused-too-many",
        ProductEditRefusal::SaleAboveRegular => "mistake-sale_price_above_regular",
    }
}

/// Sets the stock, unless it is another one than the page showed. An empty field makes it unlimited.
pub(super) async fn set(visit: &Visit<'_>) -> Result<Response, PageError> {
    let form = visit.form_of_session().await?;
    let (stored, typed, mut sent) = (find(visit).await?, form.field(STOCK)?, Sent::read(visit, &form)?);
    let seen = form.field(SEEN_STOCK)?;
    // The button was pressed for this number, also when it is the one that the page showed.
    sent.stock.stock = Some(typed.to_owned());
    let pieces = match read_stock(typed) {
        Ok(pieces) => pieces,
        Err(errors) => return refuse(visit, sent, errors, None).await,
    };
    let other = Some(OTHER_STOCK);
    if seen != stored.product.stock.map_or_else(String::new, |pieces| pieces.to_string()) {
        return refuse(visit, sent, FieldErrors::default(), other).await;
    }
    if pieces == stored.product.stock {
        sent.stock.stock = None;
        return told(visit, sent, &stored, "product-unchanged").await;
    }
    let others = ProductPatch { stock: FieldChange::Set(pieces), ..ProductPatch::default() };
    let (id, condition) =
        (stored.product.id.clone(), ProductCondition::OneOf(vec![ProductState::of(&stored)]));
    let change = ProductPatchDraft { description: None, others };
    match patch_product(&visit.context()?, id, change, condition).await?.without_key()? {
        ProductEditOutcome::Stored(_, stored) => {
            sent.stock.stock = None;
            changed(visit, sent, &stored).await
        }
        ProductEditOutcome::Unknown | ProductEditOutcome::Retired => Err(PageError::NotFound),
        ProductEditOutcome::ConditionFailed | ProductEditOutcome::Refused(_) => {
            refuse(visit, sent, FieldErrors::default(), other).await
        }
    }
}

fn read_stock(typed: &str) -> Result<Option<u32>, FieldErrors> {
    let pieces = if typed.trim().is_empty() { Json::Null } else { whole(typed) };
    let members = [(STOCK.to_owned(), pieces)];
    let mut fields = BodyFields::new(&members, FieldErrors::default());
    let pieces = fields.optional(STOCK, integer_in(0..=u32::MAX));
    fields.finish(|| Some(pieces))
}

/// Customers no longer see the product. Its orders stay.
pub(super) async fn retire(visit: &Visit<'_>) -> Result<Response, PageError> {
    visit.form_of_session().await?;
    let outcome = retire_product(&visit.context()?, path_id(visit)?, ProductCondition::Exists).await?;
    match outcome.without_key()? {
        ProductEditOutcome::Retired => Ok(see_other(&visit.path(&format!("{SECTION}?said=product-retired")))),
        _ => Err(PageError::NotFound),
    }
}

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

/// What acts on the stock at once. Each button sends the whole form of the product, so that the page that follows has what was typed into it.
pub(super) fn parts(visit: &Visit<'_>, stored: &StoredProduct, typed: &StockForms) -> Markup {
    let (id, pieces) = (&stored.product.id, stored.product.stock);
    let known = pieces.map_or_else(String::new, |pieces| pieces.to_string());
    // A number that was typed against an older stock stays one of that stock, until a page says that the stock is another one.
    let is_told = typed.refusal == Some(OTHER_STOCK);
    let seen = if typed.stock.is_some() && !is_told { &typed.seen } else { &known };
    let amount = typed.stock.as_ref().unwrap_or(&known);
    let add = html! { input name=(DIFFERENCE) value=(typed.difference) inputmode="text" autocomplete="off"; };
    let set =
        html! { input name=(STOCK) value=(amount) inputmode="numeric" placeholder="∞" autocomplete="off"; };
    let part = |below: &str, name: &str, [label, button]: [&str; 2], input: Markup| {
        html! {
            div .with-button data-enter {
                (field(visit, label, input))
                button formaction=(path(visit, id, below)) formnovalidate { (visit.words.say(button)) }
            }
            (mistakes(visit, &typed.errors, name))
        }
    };
    html! {
        @if let Some(text) = typed.refusal { p .error role="alert" { (visit.words.say(text)) } }
        input type="hidden" name=(SEEN_STOCK) value=(seen);
        (part("/set-stock", STOCK, ["product-set-stock", "product-save-stock"], set))
        span .hint-text { (visit.words.say("product-set-stock-hint")) }
        @if pieces.is_some() { (part("/stock", DIFFERENCE, ["product-difference", "product-add-stock"], add)) }
    }
}

/// The entry of the menu that retires the product, which asks once more.
pub(super) fn retirement(visit: &Visit<'_>, id: &ProductId) -> Result<Markup, PageError> {
    danger(
        visit,
        &path(visit, id, "/retire"),
        "product-retire",
        html! { p { (visit.words.say("product-retire-hint")) } },
    )
}
