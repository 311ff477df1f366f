//! Creating and replacing products.

use pointbook_app::ports::{ProductUpsert, UpsertOutcome};
use pointbook_domain::{Product, ProductId};
use rusqlite::Transaction;

use super::product_row::{self, ProductRow, Stored};
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

/// Everybody waits for the writing thread, so nothing is copied: descriptions are long.
fn upsert(
    database: &Transaction<'_>,
    tenant: &str,
    upsert: &ProductUpsert,
    version: i64,
) -> Outcome<UpsertOutcome> {
    let ProductUpsert { product, keep_published_at, keep_stock } = upsert;
    let stored = find(database, tenant, &product.id)?;
    let row = Stored {
        stock: match &stored {
            Some(stored) if *keep_stock => stored.product.stock,
            Some(_) | None => product.stock,
        },
        published_at: match &stored {
            Some(stored) if *keep_published_at => stored.product.published_at,
            Some(_) | None => product.published_at,
        },
        version,
    };
    let outcome = match stored {
        Some(stored) if stored.retired_at.is_none() => compare(stored.product, product, row),
        Some(_) | None => UpsertOutcome::Created,
    };
    if outcome != UpsertOutcome::Unchanged {
        product_row::write(database, tenant, product, row)?;
    }
    Ok(outcome)
}

fn compare(stored: Product, product: &Product, row: Stored) -> UpsertOutcome {
    let stays = (stored.stock, stored.published_at) == (row.stock, row.published_at);
    let Product { stock, published_at, .. } = *product;
    if stays && (Product { stock, published_at, ..stored }) == *product {
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
