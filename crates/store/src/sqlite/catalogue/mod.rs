//! Reads products and categories.

mod categories;
mod products;
mod stock_counts;
pub(crate) mod threshold;
mod version;

use async_trait::async_trait;
use pointbook_domain::{CategoryTree, ProductId};
use rusqlite::Connection;

use crate::ports::{CatalogueStore, CatalogueVersion, ProductChange, StockCount, StoreResult};
use crate::sqlite::error::Outcome;
use crate::sqlite::row;
use crate::sqlite::store::SqliteTenant;

#[async_trait]
impl CatalogueStore for SqliteTenant {
    async fn catalogue_version(&self) -> StoreResult<CatalogueVersion> {
        self.access.read("catalogue_version", |database| version::read(database, &self.id))
    }

    async fn product_changes(
        &self,
        since: CatalogueVersion,
        after: Option<&ProductId>,
        limit: u32,
    ) -> StoreResult<Vec<ProductChange>> {
        let (tenant, after) = (self.id.clone(), after.map_or("", ProductId::as_str).to_owned());
        self.access
            .read_catalogue("product_changes", move |database| match since {
                CatalogueVersion(0) => products::not_retired(database, &tenant, &after, limit),
                CatalogueVersion(_) => products::changed(database, &tenant, since, &after, limit),
            })
            .await
    }

    async fn categories(&self) -> StoreResult<CategoryTree> {
        let tenant = self.id.clone();
        self.access.read_catalogue("categories", move |database| categories::read(database, &tenant)).await
    }

    async fn stock_counts(&self, after: Option<&ProductId>, limit: u32) -> StoreResult<Vec<StockCount>> {
        let (tenant, after) = (self.id.clone(), after.map_or("", ProductId::as_str).to_owned());
        self.access
            .read_in_background("stock_counts", Some(&self.id), move |database| {
                stock_counts::page(database, &tenant, &after, limit)
            })
            .await
    }
}

/// How many pieces orders took out of the limited stock of a product and did not return.
pub(crate) fn taken_pieces(database: &Connection, tenant: &str, id: &ProductId) -> Outcome<i64> {
    let select = "SELECT coalesce(sum(quantity), 0) FROM orders
         WHERE tenant_id = ?1 AND product_id = ?2 AND status IN ('placed', 'fulfilled') AND takes_stock = 1";
    let pieces: Option<(i64,)> = row::one_of(("orders", 0), database, select, [tenant, id.as_str()])?;
    Ok(pieces.map_or(0, |(pieces,)| pieces))
}
