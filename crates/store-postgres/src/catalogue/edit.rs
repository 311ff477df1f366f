//! Changing one product where it is as it is expected to be.

use std::slice;

use pointbook_app::ports::{ProductCondition, ProductEdit, ProductEditOutcome, ProductEditStep};
use pointbook_domain::{ProductId, Timestamp};

use super::version::NextVersion;
use super::{products, upsert};
use crate::connection::Transaction;
use crate::error::Outcome;
use crate::row::missing;

/// Looks at the product, decides, and writes. The version is locked first, as by everybody who changes products, and
/// the product's row keeps orders away until the end.
pub(super) async fn edit(
    database: &Transaction,
    tenant: &str,
    id: &ProductId,
    edit: &ProductEdit,
    condition: &ProductCondition,
    at: Timestamp,
) -> Outcome<ProductEditOutcome> {
    NextVersion::take(database, tenant).await?;
    let stored = products::lock(database, tenant, id).await?;
    let upsert = match edit.decide(stored.as_ref(), condition) {
        Err(outcome) => return Ok(outcome),
        Ok(ProductEditStep::Retire) => {
            products::retire(database, tenant, slice::from_ref(id), at).await?;
            return Ok(ProductEditOutcome::Retired);
        }
        Ok(ProductEditStep::Put(upsert)) => upsert,
    };
    let outcomes = upsert::all(database, tenant, slice::from_ref(&*upsert)).await?;
    let stored = products::find(database, tenant, id).await?;
    let stored = outcomes.first().copied().zip(stored);
    let (outcome, stored) = stored.ok_or_else(|| missing("products", id.as_str()))?;
    Ok(ProductEditOutcome::Stored(outcome, Box::new(stored)))
}
