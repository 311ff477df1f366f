//! Saves the changes of commands to the catalogue, with one version.

use rusqlite::Transaction;

use super::stock;
use crate::commands::Changes;
use crate::sqlite::catalogue::{NextVersion, categories, product_row};
use crate::sqlite::error::Outcome;

/// Saves stocks, products and categories. Raises the version by one when clients see a change.
pub(super) fn save(database: &Transaction<'_>, tenant: &str, changes: &Changes) -> Outcome<()> {
    let raises = changes.raises_catalogue();
    let next = raises.then(|| NextVersion::take(database, tenant)).transpose()?;
    for change in &changes.stocks {
        stock::save(database, tenant, change, next.as_ref())?;
    }
    let Some(next) = next else { return Ok(()) };
    for write in &changes.products {
        product_row::write(database, tenant, write, next.stamp())?;
    }
    for (id, at) in &changes.retired_products {
        product_row::retire(database, tenant, id, *at, next.stamp())?;
    }
    if let Some(tree) = &changes.categories {
        categories::replace(database, tenant, tree)?;
    }
    next.raise(database, tenant)
}
