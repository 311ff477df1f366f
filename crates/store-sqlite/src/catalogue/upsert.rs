//! Creating and replacing products.

use pointbook_app::ports::{ProductUpsert, UpsertOutcome};
use pointbook_domain::{Product, ProductId};
use rusqlite::Transaction;

use super::product_row::{self, ProductRow};
use super::version::NextVersion;
use crate::error::Outcome;

/// Upserts each in order; only rows that change are written and stamped.
pub(super) fn all(
    database: &Transaction<'_>,
    tenant: &str,
    products: &[ProductUpsert],
) -> Outcome<Vec<UpsertOutcome>> {
    let version = NextVersion::take(database, tenant)?;
    let mut outcomes = Vec::with_capacity(products.len());
    for product in products {
        outcomes.push(upsert(database, tenant, product, version.stamp())?);
    }
    if outcomes.iter().any(|outcome| *outcome != UpsertOutcome::Unchanged) {
        version.raise(database, tenant)?;
    }
    Ok(outcomes)
}

fn upsert(
    database: &Transaction<'_>,
    tenant: &str,
    upsert: &ProductUpsert,
    version: i64,
) -> Outcome<UpsertOutcome> {
    let stored = find(database, tenant, &upsert.product.id)?;
    let mut product = upsert.product.clone();
    let outcome = match stored {
        None => UpsertOutcome::Created,
        Some(stored) => {
            if upsert.keep_published_at {
                product.published_at = stored.product.published_at;
            }
            if upsert.keep_stock {
                product.stock = stored.product.stock;
            }
            compare(&stored, &product)
        }
    };
    if outcome != UpsertOutcome::Unchanged {
        product_row::write(database, tenant, &product, version)?;
    }
    Ok(outcome)
}

fn compare(stored: &ProductRow, product: &Product) -> UpsertOutcome {
    if stored.retired_at.is_some() {
        UpsertOutcome::Created
    } else if stored.product == *product {
        UpsertOutcome::Unchanged
    } else {
        UpsertOutcome::Replaced
    }
}

fn find(database: &Transaction<'_>, tenant: &str, id: &ProductId) -> Outcome<Option<ProductRow>> {
    let mut select = database.prepare_cached(
        "SELECT id, sku, title, description, description_source, regular_price, sale_price, thumbnail, gallery,
             categories, stock, popular, published_at, active, retired_at
         FROM products WHERE tenant_id = ?1 AND id = ?2",
    )?;
    let mut rows = select.query([tenant, id.as_str()])?;
    rows.next()?.map(product_row::read).transpose()
}
