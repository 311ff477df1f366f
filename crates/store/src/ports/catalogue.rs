use pointbook_domain::{CategoryId, CategoryTree, PageRequest, Product, ProductId, Timestamp};

use super::rows::{read_all, read_one, read_page};
use super::{PageOf, StoreResult, TenantData};
use crate::schema::rows::{CatalogueState, NO_CATEGORIES, ProductRow, TreeRow, tree_of};
use crate::schema::texts::CHANGED_PRODUCTS;
use crate::schema::{Corrupt, Query};

/// Counts the changes of one tenant's catalogue, from 0. Every write raises it by one in its own transaction, and stamps the
/// rows that it changed. A copy into a database with another catalogue begins a new generation, because the two counts are
/// independent (docs/adr/0011).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CatalogueVersion(pub u64);

/// The lower bits of a version: more than the writes of any tenant.
const WRITES_BITS: u32 = 32;

impl CatalogueVersion {
    /// The number of writes. A copy has the number of its source.
    pub fn writes(self) -> u64 {
        self.0 & ((1 << WRITES_BITS) - 1)
    }

    /// The upper bits count how often a copy replaced the catalogue.
    fn generation(self) -> u64 {
        self.0 >> WRITES_BITS
    }

    /// The same count of writes, in a generation that neither of the two has.
    #[must_use]
    pub fn replacing(self, replaced: Self) -> Self {
        let generation = self.generation().max(replaced.generation()) + 1;
        Self((generation << WRITES_BITS) | self.writes())
    }

    /// A version of a new generation that no number of writes reaches: for a catalogue that is half replaced.
    #[must_use]
    pub fn being_replaced(self) -> Self {
        Self(self.replacing(self).0 | ((1 << WRITES_BITS) - 1))
    }

    /// Whether the changes since this version are all that a later version adds. In another generation, or after versions went
    /// back, that is unknown.
    pub fn leads_to(self, later: Self) -> bool {
        self.generation() == later.generation() && self <= later
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProductChange {
    /// It was created or replaced.
    Upserted(Box<Product>),
    Retired(ProductId),
}

impl ProductChange {
    pub fn id(&self) -> &ProductId {
        match self {
            Self::Upserted(product) => &product.id,
            Self::Retired(id) => id,
        }
    }
}

impl From<ProductRow> for ProductChange {
    fn from(ProductRow { product, retired_at, .. }: ProductRow) -> Self {
        match retired_at {
            None => Self::Upserted(Box::new(product)),
            Some(_) => Self::Retired(product.id),
        }
    }
}

/// A product as it shall be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProductUpsert {
    pub product: Product,
    /// Whether a stored `published_at` stays. Then the caller gave none, and `product` has the default.
    pub keep_published_at: bool,
    /// Whether a stored `stock` stays. Then the caller gave none, and `product` has the default.
    pub keep_stock: bool,
}

/// A stored product, with the fields that only the operator sees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredProduct {
    pub product: Product,
    /// Pieces in placed orders.
    pub reserved: u64,
    /// The catalogue's version at the last change that customers could see.
    pub version: CatalogueVersion,
}

impl From<ProductRow> for StoredProduct {
    fn from(row: ProductRow) -> Self {
        let ProductRow { product, version, retired_at: _, reserved, stock_supplied: _ } = row;
        Self { product, reserved, version: CatalogueVersion(version) }
    }
}

/// What an upsert did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UpsertOutcome {
    /// It is new (or was retired before).
    Created,
    Replaced,
    /// It existed, with the same value in every field.
    Unchanged,
}

/// What a list of products is sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SortedBy {
    /// The case of ASCII letters does not matter.
    Title,
    /// The effective price.
    Price,
    /// An unlimited stock counts as the greatest.
    Stock,
    Reserved,
    /// When the product changed.
    Version,
}

impl SortedBy {
    fn columns(self) -> &'static [&'static str] {
        match self {
            Self::Title => &["title"],
            Self::Price => &["sale_price", "regular_price"],
            Self::Stock => &["stock"],
            Self::Reserved => &["reserved"],
            Self::Version => &["version"],
        }
    }
}

/// The order of a list of products. Equal products are sorted by id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoredProductSort {
    pub by: SortedBy,
    pub is_descending: bool,
}

/// Which products an operator sees in a list: those that meet all conditions and are not retired. The default has no condition, and is sorted
/// by id.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StoredProductFilter {
    /// The id, the SKU or the title has this part; the case of letters does not matter.
    pub search: Option<String>,
    /// One of these categories is a category of the product.
    pub categories: Option<Vec<CategoryId>>,
    /// The lowest and the highest effective price in points, both included.
    pub price: Option<[i64; 2]>,
    /// The first and the last moment of publication, both included.
    pub published: Option<[Timestamp; 2]>,
    /// The fewest and the most pieces of a limited stock, both included.
    pub stock: Option<[u32; 2]>,
    /// Only with a sale price.
    pub on_sale: bool,
    /// Only marked as popular.
    pub popular: bool,
    /// Only those that customers may see, or only the hidden ones.
    pub active: Option<bool>,
    /// `None` sorts by id.
    pub sort: Option<StoredProductSort>,
}

impl StoredProductFilter {
    /// The products with this part in their id, SKU or title.
    pub fn of_search(search: Option<&str>) -> Self {
        Self { search: search.map(str::to_owned), ..Self::default() }
    }

    /// The products of the list, in its order.
    pub(crate) fn query(&self) -> Query {
        let categories = self.categories.as_ref().map(|ids| ids.iter().map(CategoryId::as_str).collect());
        let query = Query::of::<ProductRow>("products", &["id"])
            .null("retired_at", Some(true))
            .has_part(&["id", "sku", "title"], self.search.as_deref())
            .has_item("categories", categories)
            .first_between(&["sale_price", "regular_price"], self.price)
            .first_between(&["published_at"], self.published)
            .first_between(&["stock"], self.stock)
            .null("sale_price", self.on_sale.then_some(false));
        let query = query
            .equal("popular", self.popular.then_some(&true))
            .equal("active", self.active.as_ref())
            .sorted(self.sort.map(|sort| (sort.by.columns(), sort.is_descending)));
        // All products are a range of the table.
        if *self == Self::default() { query } else { query.by_keys() }
    }
}

/// Products and categories of one tenant.
impl dyn TenantData + '_ {
    /// The version now.
    pub async fn catalogue_version(&self) -> StoreResult<CatalogueVersion> {
        let state = Query::of::<CatalogueState>("catalogue_version", &[]);
        let state: Option<CatalogueState> = read_one(self, state).await?;
        let missing = || Corrupt::missing("catalogue_versions", self.tenant()).into();
        state.map(|state| CatalogueVersion(state.version)).ok_or_else(missing)
    }

    /// At most `limit` products that changed after version `since` and have an id above `after`, by id. Fewer mean that no more
    /// exist. With `since` 0: every product that is not retired.
    pub async fn product_changes(
        &self,
        since: CatalogueVersion,
        after: Option<&ProductId>,
        limit: u32,
    ) -> StoreResult<Vec<ProductChange>> {
        let query = if since == CatalogueVersion(0) {
            Query::of::<ProductRow>("product_changes", &["id"]).null("retired_at", Some(true)).after(after)
        } else {
            // Versions are stored as signed numbers, so none is above `i64::MAX`.
            let since = i64::try_from(since.0).unwrap_or(i64::MAX);
            let after = after.map_or("", ProductId::as_str);
            Query::of_text::<ProductRow>(&CHANGED_PRODUCTS, &(since, after, limit))
        };
        let rows: Vec<ProductRow> = read_all(self, query.urgent().limit(limit)).await?;
        Ok(rows.into_iter().map(ProductChange::from).collect())
    }

    pub async fn categories(&self) -> StoreResult<CategoryTree> {
        let tree = Query::of::<TreeRow>("categories", &[]).urgent();
        let row: Option<TreeRow> = read_all(self, tree).await?.pop();
        let text = row.as_ref().map_or(NO_CATEGORIES, |row| &*row.categories);
        Ok(tree_of(text)?)
    }

    /// The product with this id, unless it is retired.
    pub async fn product(&self, id: &ProductId) -> StoreResult<Option<StoredProduct>> {
        let product = Query::of::<ProductRow>("product", &[]).equal("id", Some(id));
        let row: Option<ProductRow> = read_one(self, product.null("retired_at", Some(true))).await?;
        Ok(row.map(StoredProduct::from))
    }

    /// A page of products that are not retired.
    pub async fn products(
        &self,
        filter: &StoredProductFilter,
        page: PageRequest,
    ) -> StoreResult<PageOf<StoredProduct>> {
        let PageOf { items, total } = read_page::<ProductRow>(self, filter.query(), page).await?;
        Ok(PageOf { items: items.into_iter().map(StoredProduct::from).collect(), total })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The order of two independent counts has no meaning.
    #[test]
    fn nothing_leads_from_a_replaced_catalogue_to_the_one_in_its_place() {
        let version = CatalogueVersion;
        for (source, target) in [(5, 2), (2, 5), (5, 5), (0, 5)] {
            let half_done = version(target).being_replaced();
            let replaced = version(source).replacing(half_done);
            assert_eq!(replaced.writes(), source);
            assert_ne!(half_done.writes(), source);
            assert!(!version(target).leads_to(half_done) && !version(target).leads_to(replaced));
            assert!(!half_done.leads_to(replaced) && !replaced.leads_to(version(target)));
            let next = CatalogueVersion(replaced.0 + 1);
            assert!(replaced.leads_to(next) && !next.leads_to(replaced) && !half_done.leads_to(next));
            // And back again.
            assert!(!version(source).leads_to(next.replacing(version(source))));
        }
    }
}
