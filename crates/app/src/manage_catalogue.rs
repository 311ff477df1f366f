//! Changes of the catalogue by a back office that is served by this process: the next request sees them.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use pointbook_domain::{CategoryId, CategoryTree, ProductId, Timestamp};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::import_products::{cleaned, cleaned_description};
use crate::ports::{
    Execution, Once, ProductCondition, ProductEdit, ProductEditOutcome, ProductPatch, TenantData,
    UpsertOutcome,
};
use crate::{ProductDraft, ServedTenant, StoreError, StoreResult};

/// Creates or replaces a product, where the condition holds.
///
/// # Errors
/// When the store fails; putting it again is safe.
pub async fn put_product(
    tenant: &ServedTenant,
    draft: ProductDraft,
    condition: &ProductCondition,
    now: Timestamp,
) -> StoreResult<ProductEditOutcome> {
    let id = draft.id.clone();
    let upsert = cleaned(vec![draft], now, cleaning_permit(&tenant.cleaning).await?).await?.pop();
    let upsert = upsert.ok_or_else(|| StoreError::Corrupt("a product was lost".to_owned()))?;
    edit(tenant, &id, ProductEdit::Put(Box::new(upsert)), condition, now, None).await?.without_key()
}

/// The fields of a product that an operator changes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProductPatchDraft {
    /// HTML from anywhere; none to leave the description.
    pub description: Option<String>,
    /// All other fields.
    pub others: ProductPatch,
}

/// Changes some fields of a product, where the condition holds.
///
/// # Errors
/// When the store fails; making the same change again is safe.
pub async fn patch_product(
    tenant: &ServedTenant,
    id: &ProductId,
    draft: ProductPatchDraft,
    condition: &ProductCondition,
    now: Timestamp,
) -> StoreResult<ProductEditOutcome> {
    let ProductPatchDraft { description, others } = draft;
    let description = match description {
        Some(html) => Some(cleaned_description(html, cleaning_permit(&tenant.cleaning).await?).await?),
        None => None,
    };
    let patch = ProductEdit::Patch(Box::new(ProductPatch { description, ..others }));
    edit(tenant, id, patch, condition, now, None).await?.without_key()
}

/// Adds pieces to the stock of a product, or takes them out when negative, where the condition holds.
///
/// # Errors
/// When the store fails; then nothing was changed, or the request's key tells.
pub async fn add_stock(
    tenant: &ServedTenant,
    id: &ProductId,
    difference: i64,
    condition: &ProductCondition,
    now: Timestamp,
    once: Option<Once<ProductEditOutcome>>,
) -> StoreResult<Execution<ProductEditOutcome>> {
    edit(tenant, id, ProductEdit::AddStock(difference), condition, now, once).await
}

/// Retires a product, where the condition holds.
///
/// # Errors
/// When the store fails.
pub async fn retire_product(
    tenant: &ServedTenant,
    id: &ProductId,
    condition: &ProductCondition,
    now: Timestamp,
) -> StoreResult<ProductEditOutcome> {
    edit(tenant, id, ProductEdit::Retire, condition, now, None).await?.without_key()
}

async fn edit(
    tenant: &ServedTenant,
    id: &ProductId,
    edit: ProductEdit,
    condition: &ProductCondition,
    now: Timestamp,
    once: Option<Once<ProductEditOutcome>>,
) -> StoreResult<Execution<ProductEditOutcome>> {
    let _change = tenant.changing_catalogue(now);
    tenant.data.edit_product(id, &edit, condition, now, once).await
}

/// Which of these categories the tree lacks: each once, in the order given. Products keep them, because the tree may
/// follow.
///
/// # Errors
/// When the store fails.
pub async fn unknown_categories<'c>(
    data: &dyn TenantData,
    ids: impl IntoIterator<Item = &'c CategoryId>,
) -> StoreResult<Vec<&'c CategoryId>> {
    let mut seen = HashSet::new();
    let mut unknown: Vec<_> = ids.into_iter().filter(|id| seen.insert(*id)).collect();
    if !unknown.is_empty() {
        let tree = data.categories().await?;
        unknown = not_in_tree(&tree, unknown);
    }
    Ok(unknown)
}

/// Which of these categories this tree lacks.
pub fn not_in_tree<'c>(
    tree: &CategoryTree,
    ids: impl IntoIterator<Item = &'c CategoryId>,
) -> Vec<&'c CategoryId> {
    let mut known = HashSet::new();
    tree.visit(&mut |category, _, _| {
        known.insert(&category.id);
    });
    ids.into_iter().filter(|id| !known.contains(id)).collect()
}

/// Creates or replaces products, all or none. One outcome per product, in order. The permit is held until the work ended,
/// though the caller may stop waiting.
///
/// # Errors
/// When the store fails; then nothing was changed, or the request's key tells.
pub async fn put_products(
    tenant: &Arc<ServedTenant>,
    drafts: Vec<ProductDraft>,
    now: Timestamp,
    once: Option<Once<Vec<UpsertOutcome>>>,
    permit: Arc<impl Send + Sync + 'static>,
) -> StoreResult<Execution<Vec<UpsertOutcome>>> {
    let cleaning = cleaning_permit(&tenant.cleaning).await?;
    let products = cleaned(drafts, now, (cleaning, permit.clone())).await?;
    let _given_up = tenant.changing_catalogue(now);
    let tenant = tenant.clone();
    let write = tokio::spawn(async move {
        let _permit = permit;
        let _ended = tenant.changing_catalogue(now);
        tenant.data.upsert_products_once(&products, once).await
    });
    write.await.map_err(|error| StoreError::Failed(Box::new(error)))?
}

/// How long a request waits for a permit to clean HTML.
const CLEANING_WAIT: Duration = Duration::from_secs(1);

/// Waits until the tenant may clean HTML: few of its requests do so at a time. Not for long, because a request that waits
/// holds a working permit.
async fn cleaning_permit(cleaning: &Arc<Semaphore>) -> StoreResult<OwnedSemaphorePermit> {
    let permit = timeout(CLEANING_WAIT, cleaning.clone().acquire_owned()).await;
    permit.map_err(|_| StoreError::Overloaded)?.map_err(|error| StoreError::Failed(Box::new(error)))
}

/// Replaces the whole category tree.
///
/// # Errors
/// When the store fails.
pub async fn put_categories(tenant: &ServedTenant, tree: &CategoryTree, now: Timestamp) -> StoreResult<()> {
    let _change = tenant.changing_catalogue(now);
    tenant.data.replace_categories(tree).await?;
    Ok(())
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
