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
use crate::store::SqliteTenant;
use crate::writer::Lane;

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

    async fn replace_categories(&self, tree: &CategoryTree) -> StoreResult<UpsertOutcome> {
        let (tenant, tree) = (self.id.clone(), tree.clone());
        self.access
            .write("replace_categories", Lane::tenant(&self.id), move |database| {
                categories::replace(database, &tenant, &tree)
            })
            .await
    }

    async fn upsert_products_once(
        &self,
        products: &[ProductUpsert],
        once: Option<Once<Vec<UpsertOutcome>>>,
    ) -> StoreResult<Execution<Vec<UpsertOutcome>>> {
        let (tenant, products) = (self.id.clone(), products.to_vec());
        self.access
            .write("upsert_products", Lane::tenant(&self.id), move |database| {
                once::execute(database, &tenant, once.as_ref(), || upsert::all(database, &tenant, &products))
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
        let tenant = self.id.clone();
        let (id, edit, condition) = (id.clone(), edit.clone(), condition.clone());
        self.access
            .write("edit_product", Lane::tenant(&self.id), move |database| {
                once::execute(database, &tenant, once.as_ref(), || {
                    edit::edit(database, &tenant, &id, &edit, &condition, at)
                })
            })
            .await
    }

    async fn product(&self, id: &ProductId) -> StoreResult<Option<StoredProduct>> {
        self.access.read("product", |database| products::find(database, &self.id, id))
    }

    async fn products(&self, search: Option<&str>, page: PageRequest) -> StoreResult<PageOf<StoredProduct>> {
        let (tenant, search) = (self.id.clone(), search.map(str::to_owned));
        self.access
            .read_long("products", &self.id, move |database| {
                products::page(database, &tenant, search.as_deref(), page)
            })
            .await
    }

    async fn stock_counts(&self, after: Option<&ProductId>, limit: u32) -> StoreResult<Vec<StockCount>> {
        let (tenant, after) = (self.id.clone(), after.map_or("", ProductId::as_str).to_owned());
        self.access
            .read_in_background("stock_counts", Some(&self.id), move |database| {
                stock_counts::page(database, &tenant, &after, limit)
            })
            .await
    }

    async fn retire_products(&self, ids: &[ProductId], at: Timestamp) -> StoreResult<u64> {
        let (tenant, ids) = (self.id.clone(), ids.to_vec());
        self.access
            .write("retire_products", Lane::tenant(&self.id), move |database| {
                products::retire(database, &tenant, &ids, at)
            })
            .await
    }
}
