use async_trait::async_trait;
use pointbook_domain::{CategoryTree, PageRequest, Product, ProductId, Timestamp};

use super::{Execution, Once, PageOf, StoreResult};

/// Counts the changes of one tenant's catalogue, from 0. Every write raises it by one, in its own
/// transaction, and stamps the rows that it changed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CatalogueVersion(pub u64);

/// A product that changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProductChange {
    /// It was created or replaced.
    Upserted(Box<Product>),
    /// It was retired.
    Retired(ProductId),
}

impl ProductChange {
    /// Which product changed.
    pub fn id(&self) -> &ProductId {
        match self {
            Self::Upserted(product) => &product.id,
            Self::Retired(id) => id,
        }
    }
}

/// A product as it shall be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProductUpsert {
    /// The product.
    pub product: Product,
    /// Whether a stored `published_at` stays: none was given, and `product` carries the default.
    pub keep_published_at: bool,
    /// Whether a stored `stock` stays: none was given, and `product` carries the default.
    pub keep_stock: bool,
}

/// A product as it is stored, with what only the operator sees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredProduct {
    /// The product.
    pub product: Product,
    /// Pieces in orders that are placed and neither fulfilled nor cancelled.
    pub reserved: u64,
    /// The catalogue's version when it last changed for clients.
    pub version: CatalogueVersion,
}

/// What is stored of a product's stock, beside what its orders come to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StockCount {
    /// Which product.
    pub product_id: ProductId,
    /// As stored: pieces left; none when unlimited.
    pub stock: Option<i64>,
    /// As stored: pieces that the operator put in altogether; none when unlimited.
    pub supplied: Option<i64>,
    /// As stored: pieces in placed orders.
    pub reserved: i64,
    /// From the orders: pieces in placed orders.
    pub placed_pieces: i64,
    /// From the orders: pieces that orders took out of stock and did not give back.
    pub taken_pieces: i64,
}

/// What an upsert did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UpsertOutcome {
    /// It is new (or was retired before).
    Created,
    /// It was replaced.
    Replaced,
    /// It was there already, the same in every field.
    Unchanged,
}

/// Products and categories of one tenant.
#[async_trait]
pub trait CatalogueStore {
    /// The version now.
    async fn catalogue_version(&self) -> StoreResult<CatalogueVersion>;

    /// At most `limit` of the products that changed after version `since` and have an id above
    /// `after`, by id. With `since` 0: every product that is not retired.
    async fn product_changes(
        &self,
        since: CatalogueVersion,
        after: Option<&ProductId>,
        limit: u32,
    ) -> StoreResult<Vec<ProductChange>>;

    /// The category tree.
    async fn categories(&self) -> StoreResult<CategoryTree>;

    /// Replaces the whole category tree; raises the version unless it is the same tree.
    async fn replace_categories(&self, tree: &CategoryTree) -> StoreResult<UpsertOutcome>;

    /// Creates or replaces products, all or none; a later product wins over an earlier one of the
    /// same id. One outcome per product, in order; the version is raised once, and only when
    /// something changed.
    async fn upsert_products_once(
        &self,
        products: &[ProductUpsert],
        once: Option<Once<Vec<UpsertOutcome>>>,
    ) -> StoreResult<Execution<Vec<UpsertOutcome>>>;

    /// [`Self::upsert_products_once`] without a key.
    async fn upsert_products(&self, products: &[ProductUpsert]) -> StoreResult<Vec<UpsertOutcome>> {
        self.upsert_products_once(products, None).await?.without_key()
    }

    /// The product with this id, unless it is retired.
    async fn product(&self, id: &ProductId) -> StoreResult<Option<StoredProduct>>;

    /// A page of the products that are not retired, by id. With `search`: those whose id, sku or title
    /// has this part; the case of ASCII letters does not matter.
    async fn products(&self, search: Option<&str>, page: PageRequest) -> StoreResult<PageOf<StoredProduct>>;

    /// The stock of at most `limit` products with an id above `after`, by id, retired ones included;
    /// read at one moment.
    async fn stock_counts(&self, after: Option<&ProductId>, limit: u32) -> StoreResult<Vec<StockCount>>;

    /// Retires products (the rows stay, as tombstones); gives how many were not retired before.
    async fn retire_products(&self, ids: &[ProductId], at: Timestamp) -> StoreResult<u64>;
}
