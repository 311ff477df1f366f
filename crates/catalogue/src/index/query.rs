//! The query of a list, and its result.

use pointbook_domain::{CategoryId, Timestamp};

/// Which products, and in which order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProductQuery {
    /// What to leave out.
    pub filter: ProductFilter,
    /// In which order.
    pub sort: ProductSort,
}

/// Restrictions that all hold together; the default restricts nothing.
///
/// A price is the effective price: the sale price, or the regular price without one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProductFilter {
    /// In one of these categories or below. An unknown id has no products, and an empty list has none.
    pub categories: Option<Vec<CategoryId>>,
    /// The title contains one of these parts, both folded by [`fold_title`](crate::index::fold_title). A part that folds to nothing,
    /// such as an accent alone, is dropped. Without any part, titles do not matter.
    pub titles: Option<Vec<String>>,
    /// The lowest price, in points, inclusive.
    pub min_price: Option<i64>,
    /// The highest price, in points, inclusive. Below the lowest price, nothing matches.
    pub max_price: Option<i64>,
    /// Published after this instant.
    pub new_since: Option<Timestamp>,
    /// Only limited stock of at least one piece, at or below the tenant's threshold.
    pub low_stock: bool,
    /// Only with a sale price.
    pub on_sale: bool,
    /// Only popular products: marked as such, or among the most ordered of the snapshot.
    pub popular: bool,
}

/// The orders of the list; each is total.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ProductSort {
    /// Latest publication first, then by id.
    #[default]
    Newest,
    /// Lowest price first, then by id.
    PriceAscending,
    /// Highest price first, then by id, ascending here too.
    PriceDescending,
}

/// One page of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProductPage<'s> {
    /// Products over all pages.
    pub total: u64,
    /// The rendered products of this page.
    pub items: Vec<Fragment<'s>>,
}

/// The rendered JSON of one product, for a list and alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fragment<'s> {
    pub json: &'s [u8],
    /// The hash of the JSON under the tenant's key, made when it was rendered. A hash of a whole response needs only these
    /// hashes.
    pub hash: u128,
}
