//! Changes of the catalogue by a back office of this process. The next request sees them.

use std::sync::Arc;
use std::time::Duration;

use pointbook_domain::{CategoryTree, ProductId};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::edit_catalogue::{ChangeCategories, EditProduct};
use crate::ports::{Execution, ProductCondition, ProductEdit, ProductEditOutcome, ProductPatch};
use crate::product_draft::{cleaned, cleaned_description};
use crate::{Context, ProductDraft, ServedTenant, StoreError, StoreResult};

/// Creates or replaces a product if the condition holds.
///
/// # Errors
/// When the store fails. The caller may repeat it safely.
pub async fn put_product(
    context: &Context<ProductEditOutcome>,
    draft: ProductDraft,
    condition: ProductCondition,
) -> StoreResult<Execution<ProductEditOutcome>> {
    let (id, permit) = (draft.id.clone(), cleaning_permit(&context.tenant.cleaning).await?);
    let upsert = cleaned(vec![draft], context.now, permit).await?.pop();
    let upsert = upsert.ok_or_else(|| StoreError::Corrupt("a product was lost".to_owned()))?;
    edit(context, id, ProductEdit::Put(Box::new(upsert)), condition).await
}

/// The fields of a product that an operator changes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProductPatchDraft {
    /// Untrusted HTML. `None` keeps the description.
    pub description: Option<String>,
    /// All other fields.
    pub others: ProductPatch,
}

/// Changes some fields of a product if the condition holds.
///
/// # Errors
/// When the store fails. The caller may repeat it safely.
pub async fn patch_product(
    context: &Context<ProductEditOutcome>,
    id: ProductId,
    draft: ProductPatchDraft,
    condition: ProductCondition,
) -> StoreResult<Execution<ProductEditOutcome>> {
    let ProductPatchDraft { description, others } = draft;
    let description = match description {
        Some(html) => {
            Some(cleaned_description(html, cleaning_permit(&context.tenant.cleaning).await?).await?)
        }
        None => None,
    };
    edit(context, id, ProductEdit::Patch(Box::new(ProductPatch { description, ..others })), condition).await
}

/// Adds pieces to the stock of a product if the condition holds. A negative number removes pieces.
///
/// # Errors
/// When the store fails: nothing was changed, or the key of the request tells.
pub async fn add_stock(
    context: &Context<ProductEditOutcome>,
    id: ProductId,
    difference: i64,
    condition: ProductCondition,
) -> StoreResult<Execution<ProductEditOutcome>> {
    edit(context, id, ProductEdit::AddStock(difference), condition).await
}

/// Retires a product if the condition holds.
pub async fn retire_product(
    context: &Context<ProductEditOutcome>,
    id: ProductId,
    condition: ProductCondition,
) -> StoreResult<Execution<ProductEditOutcome>> {
    edit(context, id, ProductEdit::Retire, condition).await
}

async fn edit(
    context: &Context<ProductEditOutcome>,
    id: ProductId,
    edit: ProductEdit,
    condition: ProductCondition,
) -> StoreResult<Execution<ProductEditOutcome>> {
    let _change = context.changing_catalogue();
    context.execute(EditProduct { id, edit, condition, at: context.now }).await
}

/// The permit of a request to clean HTML with [`cleaned`]. Hold it until the work ends.
///
/// # Errors
/// [`StoreError::Overloaded`] when too many requests of the tenant clean HTML.
pub async fn permit_to_clean(tenant: &ServedTenant) -> StoreResult<OwnedSemaphorePermit> {
    cleaning_permit(&tenant.cleaning).await
}

/// How long a request waits for a permit to clean HTML.
const CLEANING_WAIT: Duration = Duration::from_secs(1);

/// Waits for a permit of the tenant to clean HTML. Only few of its requests clean at a time. The wait is short, because a
/// waiting request holds a working permit.
async fn cleaning_permit(cleaning: &Arc<Semaphore>) -> StoreResult<OwnedSemaphorePermit> {
    let permit = timeout(CLEANING_WAIT, cleaning.clone().acquire_owned()).await;
    permit.map_err(|_| StoreError::Overloaded)?.map_err(|error| StoreError::Failed(Box::new(error)))
}

/// Replaces the category tree, unless another tree than `before` is stored by now. Returns whether it did.
///
/// # Errors
/// When the store fails. The caller may repeat it safely.
pub async fn change_categories(
    context: &Context,
    before: CategoryTree,
    after: CategoryTree,
) -> StoreResult<bool> {
    let _change = context.changing_catalogue();
    context.write(ChangeCategories { before, after }).await
}

/// The HTML that customers would see of a description. It stores nothing.
///
/// # Errors
/// [`StoreError::Overloaded`] when too many requests of the tenant clean HTML.
pub async fn preview_description(tenant: &ServedTenant, html: String) -> StoreResult<String> {
    let permit = cleaning_permit(&tenant.cleaning).await?;
    Ok(cleaned_description(html, permit).await?.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_request_waits_a_second_to_clean_and_is_told_to_come_again() {
        let cleaning = Arc::new(Semaphore::new(1));
        let running = cleaning_permit(&cleaning).await.unwrap();
        let waited = timeout(Duration::from_secs(5), cleaning_permit(&cleaning)).await;
        assert!(matches!(waited, Ok(Err(StoreError::Overloaded))), "{waited:?}");
        drop(running);
        assert!(cleaning_permit(&cleaning).await.is_ok());
    }
}
