//! A product of the gift store.

use crate::{CategoryId, FieldChange, Price, ProductId, Timestamp};

/// The longest brand, in characters.
pub const MAX_BRAND_CHARS: usize = 200;

/// The documented fields, the fields that decide who sees the product, and those of the back office.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Product {
    pub id: ProductId,
    pub sku: String,
    /// The name as the operator sent it, with line breaks and outer spaces.
    pub title: String,
    /// Only the back office sees it.
    pub brand: Option<String>,
    /// Safe HTML for customers (docs/adr/0005).
    pub description: String,
    /// The HTML that the operator sent.
    pub description_source: String,
    /// The regular price, in points.
    pub regular_price: Price,
    /// The sale price, in points. `None` without a sale.
    pub sale_price: Option<Price>,
    /// URL of the thumbnail. Empty for none.
    pub thumbnail: String,
    pub gallery: Vec<String>,
    /// The ids of its categories. Ids that are not in the tree are kept, because the tree may follow.
    pub categories: Vec<CategoryId>,
    /// Pieces that are left. `None` for unlimited.
    pub stock: Option<u32>,
    pub popular: bool,
    pub published_at: Timestamp,
    pub active: bool,
}

/// The fields of a product that a write names. The others keep their values.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct ProductPatch {
    pub sku: Option<String>,
    pub title: Option<String>,
    pub brand: FieldChange<String>,
    /// The safe HTML for customers, and the HTML that the operator sent.
    pub description: Option<(String, String)>,
    pub regular_price: Option<Price>,
    pub sale_price: FieldChange<Price>,
    pub thumbnail: Option<String>,
    pub gallery: Option<Vec<String>>,
    pub categories: Option<Vec<CategoryId>>,
    pub stock: FieldChange<u32>,
    pub popular: Option<bool>,
    pub published_at: Option<Timestamp>,
    pub active: Option<bool>,
}

impl ProductPatch {
    #[must_use]
    pub fn applied_to(self, before: Product) -> Product {
        let Self {
            sku,
            title,
            brand,
            description,
            regular_price,
            sale_price,
            thumbnail,
            gallery,
            categories,
            stock,
            popular,
            published_at,
            active,
        } = self;
        let (description, description_source) =
            description.unwrap_or((before.description, before.description_source));
        Product {
            id: before.id,
            sku: sku.unwrap_or(before.sku),
            title: title.unwrap_or(before.title),
            brand: brand.applied_to(before.brand.as_ref()),
            description,
            description_source,
            regular_price: regular_price.unwrap_or(before.regular_price),
            sale_price: sale_price.applied_to(before.sale_price.as_ref()),
            thumbnail: thumbnail.unwrap_or(before.thumbnail),
            gallery: gallery.unwrap_or(before.gallery),
            categories: categories.unwrap_or(before.categories),
            stock: stock.applied_to(before.stock.as_ref()),
            popular: popular.unwrap_or(before.popular),
            published_at: published_at.unwrap_or(before.published_at),
            active: active.unwrap_or(before.active),
        }
    }
}

/// The availability of a product for customers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Availability {
    /// More than the tenant's threshold, or unlimited.
    Plenty,
    /// At least one piece, and at most the threshold.
    Low,
    SoldOut,
}

impl Availability {
    /// The availability of this stock. `None` for unlimited.
    pub fn of(stock: Option<u32>, low_stock_threshold: u32) -> Self {
        match stock {
            Some(0) => Self::SoldOut,
            Some(left) if left <= low_stock_threshold => Self::Low,
            Some(_) | None => Self::Plenty,
        }
    }

    /// The least and the largest limited stock of this availability, inclusive.
    pub fn bounds(self, low_stock_threshold: u32) -> (u32, u32) {
        match self {
            Self::SoldOut => (0, 0),
            Self::Low => (1, low_stock_threshold),
            Self::Plenty => (low_stock_threshold.saturating_add(1), u32::MAX),
        }
    }
}

impl Product {
    /// A product without content: free, unlimited, in no category, and visible from this time on.
    pub fn blank(id: ProductId, published_at: Timestamp) -> Self {
        Self {
            id,
            sku: String::new(),
            title: String::new(),
            brand: None,
            description: String::new(),
            description_source: String::new(),
            regular_price: Price::ZERO,
            sale_price: None,
            thumbnail: String::new(),
            gallery: Vec::new(),
            categories: Vec::new(),
            stock: None,
            popular: false,
            published_at,
            active: true,
        }
    }

    /// The effective price: the sale price, or the regular price without a sale.
    pub fn effective_price(&self) -> Price {
        self.sale_price.unwrap_or(self.regular_price)
    }

    pub fn is_visible_at(&self, at: Timestamp) -> bool {
        self.active && self.published_at <= at
    }
}

/// Whether a sale price is above the regular price, which no product may have.
pub fn is_sale_above(regular: Option<Price>, sale: Option<Price>) -> bool {
    regular.zip(sale).is_some_and(|(regular, sale)| sale > regular)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sale_price_is_at_most_the_regular_price() {
        let price = |points| Price::new(points).ok();
        assert!(is_sale_above(price(5), price(6)));
        for (regular, sale) in [(price(5), price(5)), (price(5), None), (None, price(5))] {
            assert!(!is_sale_above(regular, sale), "{regular:?} {sale:?}");
        }
    }
}
