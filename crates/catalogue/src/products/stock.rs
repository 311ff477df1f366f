//! The pieces of a product that orders take and return. Orders of different writers change the same numbers by differences, so they need
//! not wait for each other; guards notice when customers would see another catalogue.

use pointbook_domain::product::Availability;
use pointbook_domain::{EventType, FeedEntry, Order, Product, ProductId, Quantity};
use pointbook_store::commands::{CommandError, Facts, Guard, Needs};
use pointbook_store::schema::Cell;
use pointbook_store::schema::rows::{CatalogueState, ProductOffer};

use crate::version;

/// What an order needs of its product.
pub fn need(needs: &mut Needs, id: &ProductId) {
    needs.unlocked::<ProductOffer>(id);
    needs.unlocked::<CatalogueState>(&());
}

/// The product of an order, unless it is retired. The fields that orders do not need are empty.
///
/// # Errors
/// When it was not loaded.
pub fn product(facts: &Facts, id: &ProductId) -> Result<Option<Product>, CommandError> {
    let offer = facts.get::<ProductOffer>(id)?;
    Ok(offer.filter(|offer| offer.retired_at.is_none()).map(|offer| Product {
        sku: offer.sku.clone(),
        title: offer.title.clone(),
        regular_price: offer.regular_price,
        sale_price: offer.sale_price,
        stock: offer.stock,
        popular: offer.popular,
        active: offer.active,
        ..Product::blank(offer.id.clone(), offer.published_at)
    }))
}

/// Takes and reserves pieces of the stock. True when customers see another catalogue then.
///
/// # Errors
/// When the product was not loaded, or has fewer pieces.
pub fn take(facts: &mut Facts, id: &ProductId, quantity: Quantity) -> Result<bool, CommandError> {
    let mut offer = stored(facts, id)?;
    let pieces = quantity.get();
    let left = match offer.stock.map(|stock| stock.checked_sub(pieces)) {
        Some(None) => {
            return Err(CommandError::in_row("products", id.as_str(), "has fewer pieces than are taken"));
        }
        Some(Some(left)) => Some(left),
        None => None,
    };
    reserve(&mut offer, i64::from(pieces))?;
    set_stock(facts, offer, left)
}

/// Ends the reservation of a delivered order.
///
/// # Errors
/// As [`take`].
pub fn release(facts: &mut Facts, order: &Order) -> Result<(), CommandError> {
    let mut offer = stored(facts, &order.product.id)?;
    reserve(&mut offer, -i64::from(order.quantity.get()))?;
    facts.guard::<ProductOffer>(&offer.id, NOT_NEGATIVE);
    facts.put(offer)
}

/// Returns the pieces of an order, if the stock is still limited. True when customers see another catalogue then.
///
/// # Errors
/// As [`take`].
pub fn give_back(facts: &mut Facts, order: &Order) -> Result<bool, CommandError> {
    if !order.takes_stock {
        return release(facts, order).map(|()| false);
    }
    let mut offer = stored(facts, &order.product.id)?;
    reserve(&mut offer, -i64::from(order.quantity.get()))?;
    // An unlimited stock has a guard too: if it becomes limited meanwhile, the pieces must be returned.
    let left = offer.stock.map(|stock| stock.saturating_add(order.quantity.get()));
    let returned = left.unwrap_or(0) - offer.stock.unwrap_or(0);
    // Beyond the largest stock, pieces are lost: they count as never supplied.
    offer.stock_supplied -= i64::from(order.quantity.get()) - i64::from(returned);
    set_stock(facts, offer, left)
}

const NOT_NEGATIVE: Guard = Guard::Within("reserved", [0, i64::MAX]);

fn stored(facts: &Facts, id: &ProductId) -> Result<ProductOffer, CommandError> {
    facts.get::<ProductOffer>(id)?.cloned().ok_or_else(|| CommandError::missing("products", id.as_str()))
}

fn reserve(offer: &mut ProductOffer, pieces: i64) -> Result<(), CommandError> {
    offer.reserved += pieces;
    if offer.reserved < 0 {
        let id = offer.id.as_str();
        return Err(CommandError::in_row("products", id, "fewer pieces are reserved than were ordered"));
    }
    Ok(())
}

/// Whether customers see the change. They do not see a retired product.
fn set_stock(facts: &mut Facts, mut offer: ProductOffer, to: Option<u32>) -> Result<bool, CommandError> {
    let threshold = version::state(facts)?.low_stock_threshold;
    let from = std::mem::replace(&mut offer.stock, to);
    let is_retired = offer.retired_at.is_some();
    let is_seen = !is_retired && Availability::of(from, threshold) != Availability::of(to, threshold);
    if is_seen {
        offer.version = version::raise(facts)?;
        tell(facts, &offer.id);
    }
    guard(facts, &offer, threshold)?;
    facts.put(offer)?;
    Ok(is_seen)
}

/// The decision depends on the product as it was read. Only other orders may have changed it since, and only its stock within what looks
/// the same to customers.
fn guard(facts: &mut Facts, offer: &ProductOffer, threshold: u32) -> Result<(), CommandError> {
    let Some(read) = facts.stored::<ProductOffer>(&offer.id)?.cloned() else { return Ok(()) };
    facts.guard::<ProductOffer>(&offer.id, NOT_NEGATIVE);
    facts.guard::<ProductOffer>(&offer.id, Guard::Is("version", Cell::Integer(read.version.cast_signed())));
    let Some(stock) = read.stock else { return Ok(()) };
    let stock = if offer.version != read.version {
        Guard::Is("stock", Cell::Integer(stock.into()))
    } else if offer.retired_at.is_some() {
        Guard::Within("stock", [0, u32::MAX.into()])
    } else {
        let (least, most) = Availability::of(Some(stock), threshold).bounds(threshold);
        Guard::Within("stock", [least.into(), most.into()])
    };
    facts.guard::<ProductOffer>(&offer.id, stock);
    Ok(())
}

/// Tells the feed that customers see another product.
pub(crate) fn tell(facts: &mut Facts, id: &ProductId) {
    let (kind, id) = (EventType::ProductChanged, Some(id.as_str().to_owned()));
    facts.tell(FeedEntry { kind, user_id: None, id, row: None });
}
