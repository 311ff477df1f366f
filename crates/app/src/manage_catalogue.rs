//! Changes of the catalogue by a back office that is served by this process: the next request sees them.

use pointbook_domain::{CategoryTree, ProductId, Timestamp};

use crate::import_products::cleaned;
use crate::ports::{Execution, Once, StoredProduct, UpsertOutcome};
use crate::{ProductDraft, ServedTenant, StoreError, StoreResult};

/// A product that was put.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PutProduct {
    /// What putting it did.
    pub outcome: UpsertOutcome,
    /// How it stands in the store after that.
    pub stored: StoredProduct,
}

/// Creates or replaces a product. None when it was put, and somebody else retired it before it was read
/// again.
///
/// # Errors
/// When the store fails; putting it again is safe.
pub async fn put_product(
    tenant: &ServedTenant,
    draft: ProductDraft,
    now: Timestamp,
) -> StoreResult<Option<PutProduct>> {
    let id = draft.id.clone();
    let outcomes = put_products(tenant, vec![draft], now, None).await?.without_key()?;
    let outcome = outcomes.first().copied();
    let outcome = outcome.ok_or_else(|| StoreError::Corrupt("a product has no outcome".to_owned()))?;
    let stored = tenant.data.product(&id).await?;
    Ok(stored.map(|stored| PutProduct { outcome, stored }))
}

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
    let products = cleaned(drafts, now).await?;
    let _change = tenant.changing_catalogue(now);
    tenant.data.upsert_products_once(&products, once).await
}

/// Retires a product; false when there is none, or it is retired already.
///
/// # Errors
/// When the store fails.
pub async fn retire_product(tenant: &ServedTenant, id: &ProductId, now: Timestamp) -> StoreResult<bool> {
    let _change = tenant.changing_catalogue(now);
    let retired = tenant.data.retire_products(std::slice::from_ref(id), now).await?;
    Ok(retired > 0)
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
