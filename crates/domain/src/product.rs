//! A product of the gift store, as the operator keeps it.

use crate::{CategoryId, Price, ProductId, Timestamp};

/// The documented fields and what decides who sees the product.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Product {
    pub id: ProductId,
    pub sku: String,
    /// Name, as given: line breaks and outer spaces are the operator's.
    pub title: String,
    /// HTML that is safe to show (docs/adr/0005).
    pub description: String,
    /// The HTML that was given, kept for the operator.
    pub description_source: String,
    /// Price without a discount, in points.
    pub regular_price: Price,
    /// Discounted price, in points; none without a discount.
    pub sale_price: Option<Price>,
    /// URL of the thumbnail; empty when there is none.
    pub thumbnail: String,
    pub gallery: Vec<String>,
    /// The categories it is assigned to. Ids that the tree lacks are kept: the tree may follow.
    pub categories: Vec<CategoryId>,
    /// Pieces left; none means unlimited.
    pub stock: Option<u32>,
    pub popular: bool,
    pub published_at: Timestamp,
    pub active: bool,
}

/// How much is left of a product, as far as clients can tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Availability {
    /// More than the tenant's threshold, or unlimited.
    Plenty,
    /// Some, at or below the threshold.
    Low,
    SoldOut,
}

impl Availability {
    /// What this stock is to clients; none means unlimited.
    pub fn of(stock: Option<u32>, low_stock_threshold: u32) -> Self {
        match stock {
            Some(0) => Self::SoldOut,
            Some(left) if left <= low_stock_threshold => Self::Low,
            Some(_) | None => Self::Plenty,
        }
    }

    /// The least and the largest limited stock that is this to clients, both included.
    pub fn bounds(self, low_stock_threshold: u32) -> (u32, u32) {
        match self {
            Self::SoldOut => (0, 0),
            Self::Low => (1, low_stock_threshold),
            Self::Plenty => (low_stock_threshold.saturating_add(1), u32::MAX),
        }
    }
}

impl Product {
    /// What it costs today: the sale price, or the regular price without one.
    pub fn effective_price(&self) -> Price {
        self.sale_price.unwrap_or(self.regular_price)
    }

    pub fn is_visible_at(&self, at: Timestamp) -> bool {
        self.active && self.published_at <= at
    }
}
