//! Products and categories.

pub(crate) mod categories;
mod products;
mod version;

use async_trait::async_trait;
use pointbook_app::StoreResult;
use pointbook_app::ports::{
    CatalogueStore, CatalogueVersion, PageOf, ProductChange, StockCount, StoredProduct,
};
use pointbook_domain::{CategoryTree, PageRequest, ProductId};

pub(crate) use self::version::{NextVersion, insert_threshold, update_threshold};
use crate::scoped::IntoScoped;
use crate::store::PostgresTenant;

#[async_trait]
impl CatalogueStore for PostgresTenant {
    async fn catalogue_version(&self) -> StoreResult<CatalogueVersion> {
        self.access
            .read_short("catalogue_version", |database| version::read(database, &self.id).scoped())
            .await
    }

    async fn product_changes(
        &self,
        since: CatalogueVersion,
        after: Option<&ProductId>,
        limit: u32,
    ) -> StoreResult<Vec<ProductChange>> {
        let after = after.map_or("", ProductId::as_str);
        self.access
            .read("product_changes", |database| match since {
                CatalogueVersion(0) => products::not_retired(database, &self.id, after, limit).scoped(),
                CatalogueVersion(_) => products::changed(database, &self.id, since, after, limit).scoped(),
            })
            .await
    }

    async fn categories(&self) -> StoreResult<CategoryTree> {
        self.access.read("categories", |database| categories::read(database, &self.id).scoped()).await
    }

    async fn product(&self, id: &ProductId) -> StoreResult<Option<StoredProduct>> {
        self.access.read_short("product", |database| products::find(database, &self.id, id).scoped()).await
    }

    async fn products(&self, search: Option<&str>, page: PageRequest) -> StoreResult<PageOf<StoredProduct>> {
        self.access
            .read_snapshot("products", |database| products::page(database, &self.id, search, page).scoped())
            .await
    }

    async fn stock_counts(&self, after: Option<&ProductId>, limit: u32) -> StoreResult<Vec<StockCount>> {
        let after = after.map_or("", ProductId::as_str);
        self.access
            .read("stock_counts", |database| {
                products::stock_counts(database, &self.id, after, limit).scoped()
            })
            .await
    }
}
