//! A product, and how its pieces change.

use pointbook_domain::product::Availability;
use pointbook_domain::{Product, ProductId};
use pointbook_schema::rows::ProductOffer;

use crate::commands::CommandError;
use crate::commands::changes::{StockChange, StockGuard};

/// A product as orders need it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProductFacts {
    /// What an order has no use for (description, images, categories) may be left empty.
    pub product: Product,
    /// Whether it is retired. Pieces of retired products come back, too.
    pub is_retired: bool,
    /// Pieces in placed orders.
    pub reserved: i64,
    /// The version of the catalogue that the product was changed with. Every change but that of a number of
    /// pieces that clients do not see gives it another one.
    pub version: u64,
    /// Up to this stock few pieces are left.
    pub low_stock_threshold: u32,
}

impl ProductFacts {
    /// What is stored of a product, and the threshold of its catalogue.
    pub fn of(offer: ProductOffer, low_stock_threshold: u32) -> Self {
        let ProductOffer { id, sku, title, regular_price, sale_price, stock, popular, published_at, .. } =
            offer;
        let ProductOffer { active, retired_at, reserved, version, .. } = offer;
        let product = Product {
            id,
            sku,
            title,
            description: String::new(),
            description_source: String::new(),
            regular_price,
            sale_price,
            thumbnail: String::new(),
            gallery: Vec::new(),
            categories: Vec::new(),
            stock,
            popular,
            published_at,
            active,
        };
        Self { product, is_retired: retired_at.is_some(), reserved, version, low_stock_threshold }
    }
}

#[derive(Debug)]
pub(super) struct Shelf {
    pub(super) now: ProductFacts,
    stock_before: Option<u32>,
    stock: i64,
    reserved: i64,
    pub(super) supplied: i64,
    /// Whether the decision depends on what was read of the product.
    is_guarded: bool,
    is_shown: bool,
}

impl Shelf {
    pub(super) fn new(read: ProductFacts) -> Self {
        let stock_before = read.product.stock;
        Self {
            now: read,
            stock_before,
            stock: 0,
            reserved: 0,
            supplied: 0,
            is_guarded: false,
            is_shown: false,
        }
    }

    pub(super) fn reserve(&mut self, pieces: i64) -> Result<(), CommandError> {
        self.reserved += pieces;
        self.now.reserved += pieces;
        if self.now.reserved < 0 {
            let id = self.now.product.id.as_str();
            return Err(CommandError::in_row("products", id, "fewer pieces are reserved than were ordered"));
        }
        Ok(())
    }

    /// Whether clients see the change. They do not see a retired product.
    pub(super) fn set_stock(&mut self, to: Option<u32>) -> bool {
        let from = self.now.product.stock;
        self.stock += i64::from(to.unwrap_or(0)) - i64::from(from.unwrap_or(0));
        self.now.product.stock = to;
        self.is_guarded = true;
        let is_seen = !self.now.is_retired && self.availability(from) != self.availability(to);
        self.is_shown |= is_seen;
        is_seen
    }

    fn availability(&self, stock: Option<u32>) -> Availability {
        Availability::of(stock, self.now.low_stock_threshold)
    }

    fn guard(&self) -> StockGuard {
        let version = self.now.version;
        let threshold = self.now.low_stock_threshold;
        match self.stock_before {
            _ if !self.is_guarded => StockGuard::None,
            Some(stock) if self.is_shown => StockGuard::Shown { version, stock },
            Some(_) if self.now.is_retired => StockGuard::Unseen { version, bounds: Some((0, u32::MAX)) },
            Some(stock) => {
                let bounds = Availability::of(Some(stock), threshold).bounds(threshold);
                StockGuard::Unseen { version, bounds: Some(bounds) }
            }
            None => StockGuard::Unseen { version, bounds: None },
        }
    }

    pub(super) fn into_change(self, product_id: ProductId) -> Option<StockChange> {
        let guard = self.guard();
        let Self { stock, reserved, supplied, .. } = self;
        let is_same = (stock, reserved, supplied) == (0, 0, 0) && guard == StockGuard::None;
        (!is_same).then_some(StockChange { product_id, stock, reserved, supplied, guard })
    }
}
