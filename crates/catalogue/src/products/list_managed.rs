//! Lists the products of a tenant for its back office, hidden ones too.

use std::collections::BTreeSet;

use pointbook_domain::{CategoryId, CategoryTree, PageRequest, Timestamp};
use pointbook_store::ports::{PageOf, SortedBy, StoredProduct, StoredProductFilter, StoredProductSort};
use pointbook_store::{ServedTenant, StoreResult};

/// The products that a back office asks for: those that meet all conditions. The filters of customers have the same names and meanings,
/// but "popular" is the mark alone.
#[expect(clippy::struct_excessive_bools, reason = "each is a filter that holds or does not matter")]
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProductListFilter {
    /// A part of the id, the SKU or the title; the case of letters does not matter.
    pub search: Option<String>,
    /// In one of these categories or below. An id that the tree lacks finds the products that name it.
    pub categories: Option<Vec<CategoryId>>,
    /// The lowest effective price in points, inclusive.
    pub min_price: Option<i64>,
    /// The highest effective price in points, inclusive.
    pub max_price: Option<i64>,
    /// Published within the tenant's window.
    pub only_new: bool,
    /// At least one piece, and at most the tenant's threshold.
    pub low_stock: bool,
    /// Those that customers may see and that have no piece, or at most the tenant's threshold. Those with the fewest pieces come first.
    pub scarce: bool,
    pub on_sale: bool,
    pub popular: bool,
    /// Only those that customers may see, or only the hidden ones.
    pub active: Option<bool>,
    /// `None` sorts by id.
    pub sort: Option<StoredProductSort>,
}

const FEWEST: StoredProductSort = StoredProductSort { by: SortedBy::Stock, is_descending: false };

/// A page of the products.
///
/// # Errors
/// When the store fails.
pub async fn list_products(
    tenant: &ServedTenant,
    filter: ProductListFilter,
    page: PageRequest,
    now: Timestamp,
) -> StoreResult<PageOf<StoredProduct>> {
    let categories = match &filter.categories {
        Some(ids) => Some(with_those_below(&tenant.data.categories().await?, ids)),
        None => None,
    };
    let settings = &tenant.tenant.settings;
    let ProductListFilter { search, min_price, max_price, on_sale, popular, active, sort, .. } = filter;
    let least_stock = if filter.scarce { Some(0) } else { filter.low_stock.then_some(1) };
    let has_price = min_price.is_some() || max_price.is_some();
    let filter = StoredProductFilter {
        search,
        categories,
        price: has_price.then(|| [min_price.unwrap_or(0), max_price.unwrap_or(i64::MAX)]),
        published: filter.only_new.then(|| [now.minus_days(settings.new_product_days), now]),
        stock: least_stock.map(|least| [least, settings.low_stock_threshold]),
        on_sale,
        popular,
        active: active.or(filter.scarce.then_some(true)),
        sort: sort.or(filter.scarce.then_some(FEWEST)),
    };
    tenant.data.products(&filter, page).await
}

/// These categories, and all below them.
fn with_those_below(tree: &CategoryTree, ids: &[CategoryId]) -> Vec<CategoryId> {
    let mut all: BTreeSet<&CategoryId> = ids.iter().collect();
    tree.visit(&mut |category, parent, _| {
        if parent.is_some_and(|parent| all.contains(&parent.id)) {
            all.insert(&category.id);
        }
    });
    all.into_iter().cloned().collect()
}
