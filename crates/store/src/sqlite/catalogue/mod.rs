//! Reads products and categories.

mod categories;
mod products;
pub(crate) mod threshold;
mod version;

use async_trait::async_trait;
use pointbook_domain::{CategoryTree, ProductId};

use crate::ports::{CatalogueStore, CatalogueVersion, ProductChange, StoreResult};
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
}
