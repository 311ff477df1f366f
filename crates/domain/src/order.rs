//! An order of the gift store: points for pieces of a product.

mod status;

use std::cmp::Ordering;

use crate::activity::ORDER;
use crate::id::{IdError, MAX_ID_CHARS, shown_as_str};
use crate::points::{OutOfRange, within};
use crate::{
    Activity, ActivityType, Bonuses, Points, Price, Product, ProductId, SourceId, Timestamp, UserId,
};

pub use status::{ClosedStatus, OrderStatus};

/// The most pieces of one order.
pub const MAX_ORDER_QUANTITY: u32 = 1_000;

/// The longest order id, in characters. A refund's source id contains it and must be an id too.
pub const MAX_ORDER_ID_CHARS: usize = 64;

const REFUND_SUFFIX: &str = ":refund";
const _: () = assert!(MAX_ORDER_ID_CHARS + REFUND_SUFFIX.len() <= MAX_ID_CHARS);

/// An order. The service makes the id. With the type `order` it is the business key of the transaction that took the points.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OrderId(SourceId);

impl OrderId {
    /// Takes an id of 1 to [`MAX_ORDER_ID_CHARS`] characters.
    ///
    /// # Errors
    /// [`IdError`] with the broken rule.
    pub fn new(text: impl Into<std::sync::Arc<str>>) -> Result<Self, IdError> {
        let id = SourceId::new(text)?;
        if id.as_str().chars().count() > MAX_ORDER_ID_CHARS { Err(IdError::TooLong) } else { Ok(Self(id)) }
    }

    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// The source id of the transaction that took the points.
    pub fn spending_source(&self) -> SourceId {
        self.0.clone()
    }

    /// The source id of the transaction that returns the points: one per order, so there is one refund.
    pub fn refund_source(&self) -> SourceId {
        let text = format!("{}{REFUND_SUFFIX}", self.as_str());
        SourceId::new(text).unwrap_or_else(|_| unreachable!("an order id leaves room for the suffix"))
    }

    /// The ids of the orders that would move points under this source id.
    pub fn candidates(source: &str) -> [&str; 2] {
        [source, source.strip_suffix(REFUND_SUFFIX).unwrap_or(source)]
    }
}

shown_as_str!(OrderId);

/// Whether this is the activity type of orders. The type may be unchecked bytes.
pub fn is_order(kind: impl AsRef<[u8]>) -> bool {
    kind.as_ref() == ORDER.as_bytes()
}

/// Whether an activity returned points of an order. An imported history may name refunds differently, but a refund always gives
/// points; a refund of 0 points counts as none. It reads the source id only if needed. Both may be unchecked texts.
///
/// # Errors
/// Those of the source id.
pub fn is_refund<S: AsRef<[u8]>, E>(
    kind: impl AsRef<[u8]>,
    points: Points,
    source_id: impl FnOnce() -> Result<S, E>,
) -> Result<bool, E> {
    if !is_order(kind) {
        return Ok(false);
    }
    match points.cmp(&Points::ZERO) {
        Ordering::Less => Ok(false),
        Ordering::Equal => Ok(source_id()?.as_ref().ends_with(REFUND_SUFFIX.as_bytes())),
        Ordering::Greater => Ok(true),
    }
}

/// The ordered pieces: 1 to [`MAX_ORDER_QUANTITY`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Quantity(u32);

impl Quantity {
    pub const ONE: Self = Self(1);

    /// # Errors
    /// [`OutOfRange`] beyond 1 to [`MAX_ORDER_QUANTITY`].
    pub fn new(pieces: i64) -> Result<Self, OutOfRange> {
        let pieces = within(pieces, 1, MAX_ORDER_QUANTITY.into())?;
        Ok(Self(u32::try_from(pieces).unwrap_or(MAX_ORDER_QUANTITY)))
    }

    pub fn get(self) -> u32 {
        self.0
    }
}

/// The product at the time of the order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderedProduct {
    /// The id of the product, which may be retired by now.
    pub id: ProductId,
    pub sku: String,
    pub title: String,
    /// Of one piece, in points.
    pub price: Price,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    pub id: OrderId,
    /// The order number for people. The history shows it.
    pub number: String,
    pub user_id: UserId,
    pub product: OrderedProduct,
    pub quantity: Quantity,
    /// The total price in points: 0 or more.
    pub points: Points,
    /// Whether its pieces came from a limited stock.
    pub takes_stock: bool,
    pub status: OrderStatus,
    pub created_at: Timestamp,
    pub fulfilled_at: Option<Timestamp>,
    pub cancelled_at: Option<Timestamp>,
}

impl Order {
    pub fn spending(&self) -> Activity {
        self.activity(self.id.spending_source(), self.points.negated(), self.created_at)
    }

    /// The transaction that returns the points when the order is cancelled at this time.
    pub fn refund(&self, at: Timestamp) -> Activity {
        self.activity(self.id.refund_source(), self.points, at)
    }

    fn activity(&self, source_id: SourceId, points: Points, created_at: Timestamp) -> Activity {
        Activity {
            kind: ActivityType::order(),
            source_id,
            points,
            bonuses: Bonuses::default(),
            title: self.product.title.clone(),
            subtitle: self.number.clone(),
            created_at,
            attributes: crate::Attributes::NONE,
        }
    }
}

/// Why an order is refused. Then nothing is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OrderRefusal {
    UnknownProduct,
    SoldOut,
    /// Some pieces are left, but fewer than ordered.
    NotEnoughStock,
    /// The total price is out of range.
    OutOfRange,
    /// It costs points, and the balance is too small. An order for 0 points is allowed even with a negative balance.
    TooFewPoints,
}

/// The price of this many pieces at this moment, in points.
///
/// # Errors
/// [`OrderRefusal`] when customers do not see the product, too few pieces are left, or the amount is out of range.
pub fn price_of(product: &Product, quantity: Quantity, at: Timestamp) -> Result<Points, OrderRefusal> {
    if !product.is_visible_at(at) {
        return Err(OrderRefusal::UnknownProduct);
    }
    match product.stock {
        Some(0) => return Err(OrderRefusal::SoldOut),
        Some(left) if left < quantity.get() => return Err(OrderRefusal::NotEnoughStock),
        Some(_) | None => {}
    }
    let total = product.effective_price().get().checked_mul(i64::from(quantity.get()));
    total.and_then(|total| Points::new(total).ok()).ok_or(OrderRefusal::OutOfRange)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::points::MAX_POINTS;

    fn at(micros: i64) -> Timestamp {
        Timestamp::from_micros(micros).unwrap()
    }

    fn product(price: i64, stock: Option<u32>) -> Product {
        Product {
            sku: "M-1".into(),
            title: "Mug".into(),
            regular_price: Price::new(price).unwrap(),
            stock,
            ..Product::blank(ProductId::new("mug").unwrap(), at(10))
        }
    }

    fn price(product: &Product, quantity: i64) -> Result<i64, OrderRefusal> {
        price_of(product, Quantity::new(quantity).unwrap(), at(10)).map(Points::get)
    }

    #[test]
    fn an_order_has_1_to_1000_pieces() {
        assert_eq!(Quantity::new(1), Ok(Quantity::ONE));
        assert!(Quantity::new(1_000).is_ok());
        for bad in [0, -1, 1_001, i64::MAX] {
            assert_eq!(Quantity::new(bad), Err(OutOfRange { min: 1, max: 1_000 }));
        }
    }

    #[test]
    fn pieces_cost_the_effective_price_each() {
        let mut mug = product(200, None);
        assert_eq!(price(&mug, 3), Ok(600));
        mug.sale_price = Some(Price::new(150).unwrap());
        assert_eq!(price(&mug, 3), Ok(450));
    }

    #[test]
    fn only_what_clients_see_is_sold() {
        let mut mug = product(200, None);
        assert_eq!(price_of(&mug, Quantity::ONE, at(9)), Err(OrderRefusal::UnknownProduct));
        mug.active = false;
        assert_eq!(price(&mug, 1), Err(OrderRefusal::UnknownProduct));
    }

    #[test]
    fn pieces_must_be_in_stock() {
        assert_eq!(price(&product(1, Some(0)), 1), Err(OrderRefusal::SoldOut));
        assert_eq!(price(&product(1, Some(2)), 3), Err(OrderRefusal::NotEnoughStock));
        assert_eq!(price(&product(1, Some(3)), 3), Ok(3));
    }

    #[test]
    fn a_price_beyond_the_bounds_is_refused() {
        assert_eq!(price(&product(MAX_POINTS, None), 1), Ok(MAX_POINTS));
        assert_eq!(price(&product(MAX_POINTS, None), 2), Err(OrderRefusal::OutOfRange));
    }

    #[test]
    fn a_refund_has_a_source_of_its_own() {
        assert!(OrderId::new("x".repeat(65)).is_err());
        let id = OrderId::new("x".repeat(64)).unwrap();
        assert_ne!(id.spending_source(), id.refund_source());
    }

    #[test]
    fn an_order_is_among_the_candidates_of_its_sources() {
        for id in ["o1", "o1:refund", ":refund"].map(|id| OrderId::new(id).unwrap()) {
            for source in [id.spending_source(), id.refund_source()] {
                assert!(OrderId::candidates(source.as_str()).contains(&id.as_str()), "{source}");
            }
        }
    }
}
