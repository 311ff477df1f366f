//! Products and categories.

mod categories;
mod edit;
mod product_row;
mod products;
mod stock_counts;
pub(crate) mod threshold;
mod upsert;
mod version;

use async_trait::async_trait;
use pointbook_app::StoreResult;
use pointbook_app::ports::{
    CatalogueStore, CatalogueVersion, Execution, Once, PageOf, ProductChange, ProductCondition, ProductEdit,
    ProductEditOutcome, ProductUpsert, StockCount, StoredProduct, UpsertOutcome,
};
use pointbook_domain::{CategoryTree, PageRequest, ProductId, Timestamp};

pub(crate) use self::version::NextVersion;
use crate::once;
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

    async fn replace_categories(&self, tree: &CategoryTree) -> StoreResult<UpsertOutcome> {
        self.access
            .write("replace_categories", |database| categories::replace(database, &self.id, tree).scoped())
            .await
    }

    async fn upsert_products_once(
        &self,
        products: &[ProductUpsert],
        once: Option<Once<Vec<UpsertOutcome>>>,
    ) -> StoreResult<Execution<Vec<UpsertOutcome>>> {
        let once = once.as_ref();
        self.access
            .write("upsert_products", |database| {
                once::execute(database, &self.id, once, upsert::all(database, &self.id, products)).scoped()
            })
            .await
    }

    async fn edit_product(
        &self,
        id: &ProductId,
        edit: &ProductEdit,
        condition: &ProductCondition,
        at: Timestamp,
        once: Option<Once<ProductEditOutcome>>,
    ) -> StoreResult<Execution<ProductEditOutcome>> {
        let once = once.as_ref();
        self.access
            .write("edit_product", |database| {
                let work = edit::edit(database, &self.id, id, edit, condition, at);
                once::execute(database, &self.id, once, work).scoped()
            })
            .await
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
            .read("stock_counts", |database| stock_counts::page(database, &self.id, after, limit).scoped())
            .await
    }

    async fn retire_products(&self, ids: &[ProductId], at: Timestamp) -> StoreResult<u64> {
        self.access
            .write("retire_products", |database| products::retire(database, &self.id, ids, at).scoped())
            .await
    }
}
