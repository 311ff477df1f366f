//! Edits of a single product by a back office or an operator. The next request sees them.

use pointbook_domain::{ProductId, ProductPatch};
use pointbook_store::ports::{Execution, ProductCondition, ProductEdit, ProductEditOutcome};
use pointbook_store::{Context, ServedTenant, StoreError, StoreResult};

use crate::cache::PendingChange;
use crate::commands::{EditProduct, EditProducts};
use crate::products::cleaning::permit_to_clean;
use crate::products::draft::{ProductDraft, ProductPatchDraft, cleaned, cleaned_description};

/// Creates or replaces a product if the condition holds.
///
/// # Errors
/// [`StoreError::Overloaded`] when too many requests of the tenant clean HTML, otherwise when the store fails. The caller may repeat it
/// safely.
pub(crate) async fn put_product(
    context: &Context<ProductEditOutcome>,
    draft: ProductDraft,
    condition: ProductCondition,
) -> StoreResult<Execution<ProductEditOutcome>> {
    let (id, permit) = (draft.id.clone(), permit_to_clean(&context.tenant).await?);
    let upsert = cleaned(vec![draft], context.now, permit).await?.pop();
    let upsert = upsert.ok_or_else(|| StoreError::Corrupt("a product was lost".to_owned()))?;
    edit(context, id, ProductEdit::Put(Box::new(upsert)), condition).await
}

/// Changes some fields of a product if the condition holds.
///
/// # Errors
/// [`StoreError::Overloaded`] when too many requests of the tenant clean HTML, otherwise when the store fails. The caller may repeat it
/// safely.
pub(crate) async fn patch_product(
    context: &Context<ProductEditOutcome>,
    id: ProductId,
    draft: ProductPatchDraft,
    condition: ProductCondition,
) -> StoreResult<Execution<ProductEditOutcome>> {
    let ProductPatchDraft { description, others } = draft;
    let description = match description {
        Some(html) => Some(cleaned_description(html, permit_to_clean(&context.tenant).await?).await?),
        None => None,
    };
    edit(context, id, ProductEdit::Patch(Box::new(ProductPatch { description, ..others })), condition).await
}

/// Adds pieces to the stock of a product if the condition holds. A negative number removes pieces.
///
/// # Errors
/// When the store fails: nothing was changed, or the key of the request tells.
pub(crate) async fn add_stock(
    context: &Context<ProductEditOutcome>,
    id: ProductId,
    difference: i64,
    condition: ProductCondition,
) -> StoreResult<Execution<ProductEditOutcome>> {
    edit(context, id, ProductEdit::AddStock(difference), condition).await
}

/// Retires a product if the condition holds.
///
/// # Errors
/// When the store fails. The caller may repeat it safely.
pub(crate) async fn retire_product(
    context: &Context<ProductEditOutcome>,
    id: ProductId,
    condition: ProductCondition,
) -> StoreResult<Execution<ProductEditOutcome>> {
    edit(context, id, ProductEdit::Retire, condition).await
}

/// Changes these products in the same way. Returns one outcome per product, in order.
///
/// # Errors
/// When the store fails: nothing was changed, or the key of the request tells.
pub(crate) async fn edit_products(
    context: &Context<Vec<ProductEditOutcome>>,
    ids: Vec<ProductId>,
    edit: ProductEdit,
) -> StoreResult<Execution<Vec<ProductEditOutcome>>> {
    let _change = PendingChange::of(context);
    context.execute(EditProducts { ids, edit, at: context.now }).await
}

async fn edit(
    context: &Context<ProductEditOutcome>,
    id: ProductId,
    edit: ProductEdit,
    condition: ProductCondition,
) -> StoreResult<Execution<ProductEditOutcome>> {
    let _change = PendingChange::of(context);
    context.execute(EditProduct { id, edit, condition, at: context.now }).await
}

/// The HTML that customers would see of a description. It stores nothing.
///
/// # Errors
/// [`StoreError::Overloaded`] when too many requests of the tenant clean HTML.
pub(crate) async fn preview_description(tenant: &ServedTenant, html: String) -> StoreResult<String> {
    let permit = permit_to_clean(tenant).await?;
    Ok(cleaned_description(html, permit).await?.0)
}
