use async_trait::async_trait;
use pointbook_domain::{CategoryTree, Product, ProductId, Timestamp};

use super::StoreResult;

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
    async fn upsert_products(&self, products: &[ProductUpsert]) -> StoreResult<Vec<UpsertOutcome>>;

    /// Retires products (the rows stay, as tombstones); gives how many were not retired before.
    async fn retire_products(&self, ids: &[ProductId], at: Timestamp) -> StoreResult<u64>;
}
