//! The stock of a product, and its retirement.

use http::StatusCode;
use maud::{Markup, html};
use pointbook_app::ports::{
    Execution, FieldChange, ProductCondition, ProductEditOutcome, ProductEditRefusal, ProductPatch,
    ProductState, StoredProduct,
};
use pointbook_app::{ProductPatchDraft, add_stock, patch_product, retire_product};
use pointbook_errors::FieldErrors;
use pointbook_http_kernel::Response;
use pointbook_json::Json;
use pointbook_page_kit::{PageError, see_other};
use pointbook_requests::body::{BodyFields, integer_in, read_stock_change};

use super::editor::{Draft, find, path, path_id, show_stored};
use super::fields::{Texts, whole};
use super::marks::SECTION;
use pointbook_console_kit::components::{danger, field, form};
use pointbook_console_kit::mistakes::mistakes;
use pointbook_console_kit::once::{once_context, once_field};
use pointbook_console_kit::visit::Visit;

const DIFFERENCE: &str = "difference";
const STOCK: &str = "stock";

/// What the operator typed into the forms of the stock.
#[derive(Default)]
pub(super) struct StockForms {
    difference: String,
    stock: Option<String>,
    errors: FieldErrors,
    /// The id of the text that says why the stock cannot be changed so.
    refusal: Option<&'static str>,
}

pub(super) fn forms(
    visit: &Visit<'_>,
    stored: &StoredProduct,
    typed: &StockForms,
) -> Result<Markup, PageError> {
    let (id, pieces) = (&stored.product.id, stored.product.stock);
    let known = pieces.map_or_else(String::new, |pieces| pieces.to_string());
    let amount = typed.stock.as_ref().unwrap_or(&known);
    let add = html! {
        (field(visit, "product-difference", html! {
            input name=(DIFFERENCE) value=(typed.difference) inputmode="text" autocomplete="off" required;
            (mistakes(visit, &typed.errors, DIFFERENCE))
        }))
        (once_field(visit))
    };
    let set = html! {
        input type="hidden" name="seen" value=(known);
        (field(visit, "product-set-stock", html! {
            input name=(STOCK) value=(amount) inputmode="numeric" autocomplete="off";
            span .hint-text { (visit.words.say("product-set-stock-hint")) }
            (mistakes(visit, &typed.errors, STOCK))
        }))
    };
    Ok(html! {
        h2 #stock { (visit.words.say("product-stock-title")) }
        @if let Some(text) = typed.refusal { p .error role="alert" { (visit.words.say(text)) } }
        div .editor {
            @if pieces.is_some() { (form(visit, &path(visit, id, "/stock"), "product-add-stock", add)?) }
            (form(visit, &path(visit, id, "/set-stock"), "product-save-stock", set)?)
        }
        (danger(visit, &path(visit, id, "/retire"), "product-retire", html! {
            p { (visit.words.say("product-retire-hint")) }
        })?)
    })
}

async fn refused(visit: &Visit<'_>, stock: StockForms) -> Result<Response, PageError> {
    let stored = find(visit).await?;
    let texts = Texts::of_product(&stored.product, &visit.served.zone());
    let draft = Draft { code: StatusCode::UNPROCESSABLE_ENTITY, stock, ..Draft::of(texts) };
    show_stored(visit, &stored, &draft).await
}

/// Adds pieces or takes pieces out, once for each form.
pub(super) async fn add(visit: &Visit<'_>) -> Result<Response, PageError> {
    let sent = visit.form_of_session().await?;
    let (id, typed) = (path_id(visit)?, sent.field(DIFFERENCE)?);
    let members = [(DIFFERENCE.to_owned(), whole(typed))];
    let forms = |errors, refusal| StockForms { difference: typed.to_owned(), stock: None, errors, refusal };
    let difference = match read_stock_change(BodyFields::new(&members, FieldErrors::default())) {
        Ok(difference) => difference,
        Err(errors) => return refused(visit, forms(errors, None)).await,
    };
    let request = format!("product.add_stock\n{id}\n{difference}");
    let is_refusal = |outcome: &ProductEditOutcome| !matches!(outcome, ProductEditOutcome::Stored(..));
    let context = once_context(visit, &sent, &request, is_refusal)?;
    match add_stock(&context, id.clone(), difference, ProductCondition::Exists).await? {
        Execution::Executed(ProductEditOutcome::Stored(..)) => {
            Ok(see_other(&path(visit, &id, "?said=product-stock-changed")))
        }
        // The first form may have been refused. The page shows the stock.
        Execution::Replayed(_) => Ok(see_other(&path(visit, &id, ""))),
        Execution::Executed(ProductEditOutcome::Refused(refusal)) => {
            refused(visit, forms(FieldErrors::default(), Some(refusal_text(refusal)))).await
        }
        Execution::Executed(_) => Err(PageError::NotFound),
        Execution::KeyTaken => Err(PageError::BadRequest),
        Execution::TooManyKeys => Err(PageError::TooManyRequests { retry_after_seconds: None }),
    }
}

fn refusal_text(refusal: ProductEditRefusal) -> &'static str {
    match refusal {
        ProductEditRefusal::UnlimitedStock => "product-refused-unlimited",
        ProductEditRefusal::TooFewPieces => "product-refused-too-few",
        ProductEditRefusal::TooManyPieces | ProductEditRefusal::SaleAboveRegular => {
            "product-refused-too-many"
        }
    }
}

/// Sets the stock, unless it is another one than the page showed. An empty field makes it unlimited.
pub(super) async fn set(visit: &Visit<'_>) -> Result<Response, PageError> {
    let sent = visit.form_of_session().await?;
    let (stored, typed) = (find(visit).await?, sent.field(STOCK)?);
    let forms = |errors, refusal| StockForms {
        stock: Some(typed.to_owned()),
        errors,
        refusal,
        ..StockForms::default()
    };
    let pieces = match read_stock(typed) {
        Ok(pieces) => pieces,
        Err(errors) => return refused(visit, forms(errors, None)).await,
    };
    let known = stored.product.stock.map_or_else(String::new, |pieces| pieces.to_string());
    if sent.field("seen")? != known {
        return refused(visit, forms(FieldErrors::default(), Some("product-refused-other-stock"))).await;
    }
    let others = ProductPatch { stock: FieldChange::Set(pieces), ..ProductPatch::default() };
    let (id, condition) =
        (stored.product.id.clone(), ProductCondition::OneOf(vec![ProductState::of(&stored)]));
    let change = ProductPatchDraft { description: None, others };
    match patch_product(&visit.context()?, id.clone(), change, condition).await?.without_key()? {
        ProductEditOutcome::Stored(..) => Ok(see_other(&path(visit, &id, "?said=product-stock-changed"))),
        ProductEditOutcome::Unknown | ProductEditOutcome::Retired => Err(PageError::NotFound),
        ProductEditOutcome::ConditionFailed | ProductEditOutcome::Refused(_) => {
            refused(visit, forms(FieldErrors::default(), Some("product-refused-other-stock"))).await
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
