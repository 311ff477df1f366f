//! Creating and replacing products.

use std::collections::HashMap;

use pointbook_app::ports::{ProductUpsert, UpsertOutcome};
use pointbook_domain::{Product, ProductId};

use super::product_row::{self, ProductRow, select_products};
use super::version::NextVersion;
use crate::connection::Transaction;
use crate::error::Outcome;

/// Upserts each in order; only rows that change are written and stamped.
pub(super) async fn all(
    database: &Transaction,
    tenant: &str,
    products: &[ProductUpsert],
) -> Outcome<Vec<UpsertOutcome>> {
    let version = NextVersion::take(database, tenant).await?;
    let mut shelf = lock(database, tenant, products).await?;
    let outcomes = products.iter().map(|upsert| put(&mut shelf, upsert)).collect();
    let mut changed: Vec<&Product> =
        shelf.values().filter(|entry| entry.is_changed).map(|entry| &entry.product).collect();
    if !changed.is_empty() {
        changed.sort_unstable_by(|a, b| a.id.cmp(&b.id));
        product_row::write(database, tenant, &changed, version.stamp()).await?;
        version.raise(database, tenant).await?;
    }
    Ok(outcomes)
}

/// A product while it is written over.
struct Entry {
    product: Product,
    is_retired: bool,
    is_changed: bool,
}

type Shelf<'p> = HashMap<&'p ProductId, Entry>;

/// Reads what is stored under the ids, and keeps orders away from it: they neither take pieces nor give
/// them back until the end. Nobody else adds products meanwhile, which takes the version's row.
async fn lock<'p>(database: &Transaction, tenant: &str, products: &'p [ProductUpsert]) -> Outcome<Shelf<'p>> {
    let ids: Vec<&str> = products.iter().map(|upsert| upsert.product.id.as_str()).collect();
    let select = select_products!("WHERE tenant_id = $1 AND id = ANY ($2) ORDER BY id FOR NO KEY UPDATE");
    let rows = database.rows(select, &[&tenant, &ids]).await?;
    let stored = |row| {
        let ProductRow { product, retired_at, .. } = product_row::read(row)?;
        Ok((product.id.clone(), Entry { product, is_retired: retired_at.is_some(), is_changed: false }))
    };
    let mut stored: HashMap<ProductId, Entry> = rows.iter().map(stored).collect::<Outcome<_>>()?;
    let ids = products.iter().map(|upsert| &upsert.product.id);
    Ok(ids.filter_map(|id| Some((id, stored.remove(id)?))).collect())
}

/// Puts one product over what is there, and tells what that comes to.
fn put<'p>(shelf: &mut Shelf<'p>, upsert: &'p ProductUpsert) -> UpsertOutcome {
    let ProductUpsert { product, keep_published_at, keep_stock } = upsert;
    let before = shelf.get(&product.id);
    let kept = |keep: bool| before.filter(|_| keep).map(|entry| &entry.product);
    let after = Product {
        stock: kept(*keep_stock).map_or(product.stock, |stored| stored.stock),
        published_at: kept(*keep_published_at).map_or(product.published_at, |stored| stored.published_at),
        ..product.clone()
    };
    let outcome = match before {
        Some(entry) if entry.is_retired => UpsertOutcome::Created,
        Some(entry) if entry.product == after => return UpsertOutcome::Unchanged,
        Some(_) => UpsertOutcome::Replaced,
        None => UpsertOutcome::Created,
    };
    shelf.insert(&product.id, Entry { product: after, is_retired: false, is_changed: true });
    outcome
}
