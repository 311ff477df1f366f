//! The parameters of lists of products.

use pointbook_domain::{CategoryId, PageQuery};
use pointbook_http::query::Fields;
use pointbook_store::ports::{SortedBy, StoredProductSort};

use crate::index::{ProductFilter, ProductSort};
use crate::products::list_managed::ProductListFilter;
use crate::products::list_store::ProductListQuery;

/// The end of the description of a flag.
macro_rules! restricting {
    ($what:literal) => {
        concat!($what, " `1` and `0` work too; `false` has no effect.")
    };
}

/// `GET /v1/store/products`.
pub fn product_list(fields: &mut Fields<'_>) -> ProductListQuery {
    let page = fields.page();
    let (filter, only_new) = fields.filter(product_filter);
    let sorts = [("price", ProductSort::PriceAscending), ("-price", ProductSort::PriceDescending)];
    let sort = fields.choice("sort", SORT, sorts).unwrap_or(ProductSort::Newest);
    ProductListQuery { page, filter, only_new, sort }
}

/// The filter, and whether only new products match.
fn product_filter(filter: &mut Fields<'_>) -> (ProductFilter, bool) {
    // A value that cannot be an id matches no category, so no product.
    let categories = filter.texts("category", CATEGORY, |id| CategoryId::new(id).ok());
    let titles = filter.texts("title", TITLE, |title| Some(title.to_owned()));
    let min_price = filter.count("minPrice", MIN_PRICE);
    let max_price = filter.count("maxPrice", MAX_PRICE);
    let mut flag = |name, description| filter.flag(name, description).unwrap_or(false);
    let only_new = flag("newProducts", NEW_PRODUCTS);
    let filter = ProductFilter {
        categories,
        titles,
        min_price,
        max_price,
        new_since: None,
        low_stock: flag("lowStock", LOW_STOCK),
        on_sale: flag("onSale", ON_SALE),
        popular: flag("onlyPopular", ONLY_POPULAR),
    };
    (filter, only_new)
}

const CATEGORY: &str = "The id of a category. It includes all categories below it. Give up to 20 alternatives, \
                        separated by commas or as repeated `filter[category][]=`. An unknown category has no products.";
const MANAGED_CATEGORY: &str = "The id of a category. It includes all categories below it. Give up to 20 alternatives, separated by commas or \
                                as repeated `filter[category][]=`. An id that the tree lacks finds the products that name it.";
const MIN_PRICE: &str = "The lowest effective price in points, inclusive.";
const MAX_PRICE: &str = "The highest effective price in points, inclusive.";
const ON_SALE: &str = restricting!("Only products with a `sale_price`.");
const TITLE: &str = "A part of the title. Case and accents do not matter. Give up to 20 alternatives, separated by \
                     commas or as repeated `filter[title][]=`.";
const NEW_PRODUCTS: &str =
    restricting!("Only products that were published within the tenant's window (default 30 days).");
const LOW_STOCK: &str = restricting!(
    "Only products with a low stock: at least 1 piece and at most the tenant's threshold (default 5)."
);
const ONLY_POPULAR: &str = restricting!(
    "Only products that the tenant marked as popular, and those that are ordered \
                                         most."
);
const SORT: &str = "Sorts by effective price, ascending or descending, then by id. Without it, the newest products \
                    come first.";

/// The products that the back office asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ManagedProductListQuery {
    pub page: PageQuery,
    pub filter: ProductListFilter,
}

/// `GET /v1/manage/products`.
pub fn managed_product_list(fields: &mut Fields<'_>) -> ManagedProductListQuery {
    let page = fields.page();
    let filter = fields.filter(managed_product_filter);
    let sort = fields.choice("sort", MANAGED_SORT, MANAGED_SORTS);
    ManagedProductListQuery { page, filter: ProductListFilter { sort, ..filter } }
}

const MANAGED_SORT: &str = "Sorts by the title, the effective price, the stock, the reserved pieces or the `version`, ascending or \
                            descending, then by id. An unlimited stock counts as the greatest. The case of the letters A to Z does \
                            not matter in titles. Without it, products come by id.";

/// The orders of the list. A list of the console has the same names.
pub const MANAGED_SORTS: [(&str, StoredProductSort); 10] = [
    ("title", by(SortedBy::Title)),
    ("-title", falling(SortedBy::Title)),
    ("price", by(SortedBy::Price)),
    ("-price", falling(SortedBy::Price)),
    ("stock", by(SortedBy::Stock)),
    ("-stock", falling(SortedBy::Stock)),
    ("reserved", by(SortedBy::Reserved)),
    ("-reserved", falling(SortedBy::Reserved)),
    ("version", by(SortedBy::Version)),
    ("-version", falling(SortedBy::Version)),
];

const fn by(by: SortedBy) -> StoredProductSort {
    StoredProductSort { by, is_descending: false }
}

const fn falling(by: SortedBy) -> StoredProductSort {
    StoredProductSort { by, is_descending: true }
}

fn managed_product_filter(filter: &mut Fields<'_>) -> ProductListFilter {
    let search = "A part of the id, the sku or the title. The case of letters does not matter.";
    let search = filter.text("search", search).map(str::to_owned);
    let categories = filter.texts("category", MANAGED_CATEGORY, |id| CategoryId::new(id).ok());
    let min_price = filter.count("minPrice", MIN_PRICE);
    let max_price = filter.count("maxPrice", MAX_PRICE);
    let mut flag = |name, description| filter.flag(name, description);
    let mut only = |name, description| flag(name, description).unwrap_or(false);
    ProductListFilter {
        search,
        categories,
        min_price,
        max_price,
        only_new: only("newProducts", NEW_PRODUCTS),
        low_stock: only("lowStock", LOW_STOCK),
        scarce: false,
        on_sale: only("onSale", ON_SALE),
        popular: only("onlyPopular", restricting!("Only products that the tenant marked as popular.")),
        active: flag(
            "active",
            "`true` for products that customers may see only, `false` for hidden products only.",
        ),
        sort: None,
    }
}

#[cfg(test)]
mod tests;
