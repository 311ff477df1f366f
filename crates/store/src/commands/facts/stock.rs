//! Products, and the pieces that orders take and return.

use pointbook_domain::product::Availability;
use pointbook_domain::{Order, Product, ProductId, Quantity};

use super::Facts;
use crate::commands::CommandError;
use crate::commands::changes::{StockChange, StockGuard};
use crate::schema::rows::ProductOffer;

/// The part of a product that orders need.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProductFacts {
    /// The fields that orders do not need (description, images, categories) may be empty.
    pub product: Product,
    /// Whether it is retired. Pieces of a retired product are returned too.
    pub is_retired: bool,
    /// Pieces in placed orders.
    pub reserved: i64,
    /// The version of the catalogue at the last change of the product. Every change raises it, except a stock change that
    /// customers do not see.
    pub version: u64,
    /// Up to this number of pieces, the stock is low.
    pub low_stock_threshold: u32,
}

impl ProductFacts {
    /// A stored product, and the threshold of its catalogue.
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
    now: ProductFacts,
    stock_before: Option<u32>,
    stock: i64,
    reserved: i64,
    supplied: i64,
    /// Whether the decision depends on the product as it was read.
    is_guarded: bool,
    is_shown: bool,
}

impl Shelf {
    pub(super) fn new(read: ProductFacts) -> Self {
        let (stock_before, stock, reserved, supplied) = (read.product.stock, 0, 0, 0);
        Self { now: read, stock_before, stock, reserved, supplied, is_guarded: false, is_shown: false }
    }

    fn reserve(&mut self, pieces: i64) -> Result<(), CommandError> {
        self.reserved += pieces;
        self.now.reserved += pieces;
        if self.now.reserved < 0 {
            let id = self.now.product.id.as_str();
            return Err(CommandError::in_row("products", id, "fewer pieces are reserved than were ordered"));
        }
        Ok(())
    }

    /// Whether customers see the change. They do not see a retired product.
    fn set_stock(&mut self, to: Option<u32>) -> bool {
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

impl Facts {
    /// The product of an order, unless it is retired.
    pub fn offer(&self, id: &ProductId) -> Result<Option<&Product>, CommandError> {
        let found = self.shelves.get(id).ok_or_else(CommandError::not_loaded("products"))?;
        Ok(found.as_ref().filter(|shelf| !shelf.now.is_retired).map(|shelf| &shelf.now.product))
    }

    /// Takes and reserves pieces of the stock. True when customers see another catalogue then.
    pub fn take_pieces(&mut self, id: &ProductId, quantity: Quantity) -> Result<bool, CommandError> {
        let stored = self.shelf(id)?;
        let pieces = quantity.get();
        let left = match stored.now.product.stock.map(|stock| stock.checked_sub(pieces)) {
            Some(None) => {
                return Err(CommandError::in_row("products", id.as_str(), "has fewer pieces than are taken"));
            }
            Some(Some(left)) => Some(left),
            None => None,
        };
        stored.reserve(i64::from(pieces))?;
        Ok(stored.set_stock(left))
    }

    /// Ends the reservation of a delivered order.
    pub fn release_pieces(&mut self, order: &Order) -> Result<(), CommandError> {
        self.shelf(&order.product.id)?.reserve(-i64::from(order.quantity.get()))
    }

    /// Returns the pieces of an order, if the stock is still limited. True when customers see another catalogue then.
    pub fn give_back_pieces(&mut self, order: &Order) -> Result<bool, CommandError> {
        self.release_pieces(order)?;
        let stored = self.shelf(&order.product.id)?;
        if !order.takes_stock {
            return Ok(false);
        }
        // An unlimited stock has a guard too: if it becomes limited meanwhile, the pieces must be returned.
        let Some(stock) = stored.now.product.stock else { return Ok(stored.set_stock(None)) };
        let left = stock.saturating_add(order.quantity.get());
        // Beyond the largest stock, pieces are lost: they count as never supplied.
        stored.supplied -= i64::from(order.quantity.get()) - i64::from(left - stock);
        Ok(stored.set_stock(Some(left)))
    }

    fn shelf(&mut self, id: &ProductId) -> Result<&mut Shelf, CommandError> {
        let stored = self.shelves.get_mut(id).ok_or_else(CommandError::not_loaded("products"))?;
        stored.as_mut().ok_or_else(|| CommandError::missing("products", id.as_str()))
    }
}
