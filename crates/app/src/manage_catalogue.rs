//! Changes of the catalogue by a back office that is served by this process: the next request sees them.

use pointbook_domain::{CategoryTree, ProductId, Timestamp};

use crate::ports::{Execution, Once, UpsertOutcome};
use crate::{ProductDraft, ServedTenant, StoreResult};

/// Creates or replaces products, all or none. One outcome per product, in order.
///
/// # Errors
/// When the store fails; then nothing was changed, or the request's key tells.
pub async fn put_products(
    tenant: &ServedTenant,
    drafts: Vec<ProductDraft>,
    now: Timestamp,
    once: Option<Once<Vec<UpsertOutcome>>>,
) -> StoreResult<Execution<Vec<UpsertOutcome>>> {
    let products: Vec<_> = drafts.into_iter().map(|draft| draft.into_upsert(now)).collect();
    let execution = tenant.data.upsert_products_once(&products, once).await?;
    tenant.show_changes(now).await;
    Ok(execution)
}

/// Retires a product; false when there is none, or it is retired already.
///
/// # Errors
/// When the store fails.
pub async fn retire_product(tenant: &ServedTenant, id: &ProductId, now: Timestamp) -> StoreResult<bool> {
    let retired = tenant.data.retire_products(std::slice::from_ref(id), now).await?;
    tenant.show_changes(now).await;
    Ok(retired > 0)
}

/// Replaces the whole category tree.
///
/// # Errors
/// When the store fails.
pub async fn put_categories(tenant: &ServedTenant, tree: &CategoryTree, now: Timestamp) -> StoreResult<()> {
    tenant.data.replace_categories(tree).await?;
    tenant.show_changes(now).await;
    Ok(())
}
