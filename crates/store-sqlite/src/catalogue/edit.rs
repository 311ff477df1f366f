//! Changing one product where it is as it is expected to be.

use std::slice;

use pointbook_app::ports::{ProductCondition, ProductEdit, ProductEditOutcome, ProductEditStep};
use pointbook_domain::{ProductId, Timestamp};
use rusqlite::Transaction;

use super::{products, upsert};
use crate::error::Outcome;
use crate::row::missing;

/// Looks at the product, decides, and writes. Only one thread writes, so nobody comes in between.
pub(super) fn edit(
    database: &Transaction<'_>,
    tenant: &str,
    id: &ProductId,
    edit: &ProductEdit,
    condition: &ProductCondition,
    at: Timestamp,
) -> Outcome<ProductEditOutcome> {
    let stored = products::find(database, tenant, id)?;
    let upsert = match edit.decide(stored.as_ref(), condition) {
        Err(outcome) => return Ok(outcome),
        Ok(ProductEditStep::Retire) => {
            products::retire(database, tenant, slice::from_ref(id), at)?;
            return Ok(ProductEditOutcome::Retired);
        }
        Ok(ProductEditStep::Put(upsert)) => upsert,
    };
    let outcomes = upsert::all(database, tenant, slice::from_ref(&*upsert))?;
    let stored = products::find(database, tenant, id)?;
    let stored = outcomes.first().copied().zip(stored);
    let (outcome, stored) = stored.ok_or_else(|| missing("products", id.as_str()))?;
    Ok(ProductEditOutcome::Stored(outcome, Box::new(stored)))
}
