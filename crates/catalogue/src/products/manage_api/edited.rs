//! The responses of the operations that change one product.

use http::StatusCode;
use http::header::ETAG;
use pointbook_domain::{CategoryId, CategoryTree};
use pointbook_http::error::{FieldCode, FieldErrors, Rule};
use pointbook_http::kernel::Response;
use pointbook_http::precondition::product_tag;
use pointbook_http::{Answer, ApiError};
use pointbook_store::ServedTenant;
use pointbook_store::ports::{ProductEditOutcome, ProductEditRefusal, StoredProduct, UpsertOutcome};

use crate::products::managed::sale_above_regular;
use crate::products::unknown_categories::not_in_tree;
use crate::products::warning_view::WrittenProductView;

/// The tree for the warnings about these new categories. `None` when the categories do not change. Read it before the write, so
/// that nothing can fail after the write.
pub(super) async fn tree(
    tenant: &ServedTenant,
    categories: Option<&[CategoryId]>,
) -> Result<CategoryTree, ApiError> {
    match categories {
        Some([]) => Ok(CategoryTree::default()),
        Some(_) | None => Ok(tenant.data.categories().await?),
    }
}

/// The stored product with its `ETag` and its warnings.
pub(super) fn show(outcome: ProductEditOutcome, tree: &CategoryTree) -> Result<Response, ApiError> {
    let (outcome, stored) = stored(outcome)?;
    let status = match outcome {
        UpsertOutcome::Created => StatusCode::CREATED,
        UpsertOutcome::Replaced | UpsertOutcome::Unchanged => StatusCode::OK,
    };
    let unknown = not_in_tree(tree, &stored.product.categories);
    let answer = Answer::json(status, &WrittenProductView::new(&stored, &unknown));
    Ok(tagged(answer.into_response(), &stored))
}

/// A response about a product, with the tag of its state.
pub(super) fn tagged(mut response: Response, stored: &StoredProduct) -> Response {
    response.headers.insert(ETAG, product_tag(stored));
    response
}

/// The stored product, if it exists.
pub(super) fn stored(outcome: ProductEditOutcome) -> Result<(UpsertOutcome, Box<StoredProduct>), ApiError> {
    match outcome {
        ProductEditOutcome::Stored(outcome, stored) => Ok((outcome, stored)),
        ProductEditOutcome::Retired | ProductEditOutcome::Unknown => Err(ApiError::NotFound),
        ProductEditOutcome::ConditionFailed => Err(ApiError::PreconditionFailed),
        ProductEditOutcome::Refused(refusal) => Err(refused(refusal).into()),
    }
}

pub(super) fn refused(refusal: ProductEditRefusal) -> FieldErrors {
    let difference = |code, words| FieldErrors::one("difference", Rule::new(code, words));
    match refusal {
        ProductEditRefusal::SaleAboveRegular => FieldErrors::one("sale_price", sale_above_regular()),
        ProductEditRefusal::UnlimitedStock => {
            difference(FieldCode::UnlimitedStock, "needs a limited stock: this product's stock is unlimited")
        }
        ProductEditRefusal::TooFewPieces => {
            difference(FieldCode::InsufficientStock, "must not take out more pieces than are in stock")
        }
        ProductEditRefusal::TooManyPieces => {
            difference(FieldCode::TooLarge, "must not make the stock greater than 4294967295")
        }
    }
}
