//! The values that filters and sorts use.

use pointbook_domain::{Product, Timestamp};

/// The plain values of one product.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Facts {
    /// Effective price, in points.
    pub(crate) price: i64,
    pub(crate) published_at: Timestamp,
    /// Pieces that are left. `None` for unlimited.
    pub(crate) stock: Option<u32>,
    pub(crate) active: bool,
    pub(crate) popular: bool,
    pub(crate) on_sale: bool,
}

impl Facts {
    pub(crate) fn of(product: &Product) -> Self {
        Self {
            price: product.effective_price().get(),
            published_at: product.published_at,
            stock: product.stock,
            active: product.active,
            popular: product.popular,
            on_sale: product.sale_price.is_some(),
        }
    }

    /// Of no product.
    pub(crate) const NONE: Self = Self {
        price: 0,
        published_at: Timestamp::MIN,
        stock: None,
        active: false,
        popular: false,
        on_sale: false,
    };

    /// Whether customers can see the product.
    pub(crate) fn is_visible_at(&self, now: Timestamp) -> bool {
        self.active && self.published_at <= now
    }

    /// Whether customers will see the product without another change.
    pub(crate) fn is_waiting_at(&self, now: Timestamp) -> bool {
        self.active && self.published_at > now
    }

    pub(crate) fn is_sold_out(&self) -> bool {
        self.stock == Some(0)
    }

    pub(crate) fn is_low_stock(&self, threshold: u32) -> bool {
        self.stock.is_some_and(|pieces| pieces > 0 && pieces <= threshold)
    }
}
