//! The pieces of a product that orders take and give back.

use pointbook_domain::{Order, Price, Product, ProductId, Quantity};
use tokio_postgres::Row;

use super::seen::{Change, Seen};
use crate::catalogue::NextVersion;
use crate::connection::Transaction;
use crate::error::{Outcome, StoreFailure};
use crate::row::{Record, count, missing, timestamp, wrong};

/// A product that may be ordered.
pub(super) struct Offer {
    /// What an order has no use for (texts, images, categories) is left out and stays empty.
    pub(super) product: Product,
    seen: Seen,
}

/// The product that an order is for, unless it is retired.
pub(super) async fn find_offer(
    database: &Transaction,
    tenant: &str,
    id: &ProductId,
) -> Outcome<Option<Offer>> {
    let select = "SELECT id, sku, title, regular_price, sale_price, stock, popular, published_at, active,
             products.version, low_stock_threshold
         FROM products LEFT JOIN catalogue_versions ON catalogue_versions.tenant_id = products.tenant_id
         WHERE products.tenant_id = $1 AND id = $2 AND retired_at IS NULL";
    database.row(select, &[&tenant, &id.as_str()]).await?.as_ref().map(read).transpose()
}

fn read(row: &Row) -> Outcome<Offer> {
    let record = Record::new("products", 1, row);
    let product = Product {
        id: record.read(0, |id: &str| ProductId::new(id))?,
        sku: record.get(1)?,
        title: record.get(2)?,
        description: String::new(),
        description_source: String::new(),
        regular_price: record.read(3, Price::new)?,
        sale_price: record.read_optional(4, Price::new)?,
        thumbnail: String::new(),
        gallery: Vec::new(),
        categories: Vec::new(),
        stock: record.read_optional(5, count)?,
        popular: record.get(6)?,
        published_at: record.read(7, timestamp)?,
        active: record.get(8)?,
    };
    Ok(Offer { product, seen: Seen::read(&record, 9, 10)? })
}

/// Taking and reserving pieces of a product, as it was offered.
pub(super) struct Taking {
    offer: Offer,
    pieces: u32,
    /// The catalogue's next version, if clients see another catalogue then.
    next: Option<NextVersion>,
}

impl Taking {
    /// Decides whether clients will see it; see [`Seen::foresee`].
    pub(super) async fn foresee(
        database: &Transaction,
        tenant: &str,
        offer: Offer,
        quantity: Quantity,
    ) -> Outcome<Self> {
        let pieces = quantity.get();
        let from = offer.product.stock;
        let change = Change { from, to: from.map(|stock| stock.saturating_sub(pieces)) };
        let next = offer.seen.foresee(database, tenant, change).await?;
        Ok(Self { offer, pieces, next })
    }

    pub(super) fn changes_catalogue(&self) -> bool {
        self.next.is_some()
    }

    /// Takes the pieces, unless it comes to something else than was foreseen.
    pub(super) async fn write(self, database: &Transaction, tenant: &str) -> Outcome<()> {
        let Self { offer: Offer { product, seen }, pieces, next } = self;
        let (id, pieces) = (product.id.as_str(), i64::from(pieces));
        let Some(next) = next else { return take_unseen(database, tenant, id, pieces, seen).await };
        let update = "UPDATE products SET stock = stock - $3, reserved = reserved + $3, version = $5
             WHERE tenant_id = $1 AND id = $2 AND version = $4 AND stock = $6";
        let stock = product.stock.map(i64::from);
        let updated =
            database.execute(update, &[&tenant, &id, &pieces, &seen.version, &next.stamp(), &stock]).await?;
        if updated == 1 { next.raise(database, tenant).await } else { Err(StoreFailure::Overtaken) }
    }
}

/// Takes pieces, however many others took meanwhile, as long as clients do not see it.
async fn take_unseen(database: &Transaction, tenant: &str, id: &str, pieces: i64, seen: Seen) -> Outcome<()> {
    let update = "UPDATE products SET stock = stock - $3, reserved = reserved + $3
         WHERE tenant_id = $1 AND id = $2 AND version = $4 AND (stock IS NULL OR stock - $3 >= 0)
         RETURNING id, stock, stock + $3";
    let updated = database.row(update, &[&tenant, &id, &pieces, &seen.version]).await?;
    let updated = updated.ok_or(StoreFailure::Overtaken)?;
    let record = Record::new("products", 1, &updated);
    let change = Change { from: record.read_optional(2, count)?, to: record.read_optional(1, count)? };
    if seen.is_shown(change) { Err(StoreFailure::Overtaken) } else { Ok(()) }
}

fn read_stock(row: &Row) -> Outcome<Option<u32>> {
    Record::new("products", 1, row).read_optional(1, count)
}

/// The pieces of an order went out: they are no longer reserved.
pub(super) async fn release(database: &Transaction, tenant: &str, order: &Order) -> Outcome<()> {
    unreserve(database, tenant, order, 0, 0).await
}

/// Gives back what an order took, where the stock is limited still; true when clients see another
/// catalogue then.
pub(super) async fn give_back(database: &Transaction, tenant: &str, order: &Order) -> Outcome<bool> {
    if !order.takes_stock {
        release(database, tenant, order).await?;
        return Ok(false);
    }
    let Shelf { stock, is_retired, seen } = find_shelf(database, tenant, &order.product.id).await?;
    // Clients do not see a retired product, whatever is left of it.
    let change = |from: Option<u32>| match from {
        Some(from) if !is_retired => {
            Change { from: Some(from), to: Some(from.saturating_add(order.quantity.get())) }
        }
        Some(_) | None => Change { from, to: from },
    };
    let foreseen = seen.foresee(database, tenant, change(stock)).await?;
    let stock = lock_stock(database, tenant, &order.product.id, seen).await?;
    let Some(stock) = stock else {
        release(database, tenant, order).await?;
        return Ok(false);
    };
    // Beyond the largest stock there is, pieces are given up: they count as never supplied.
    let given = order.quantity.get().min(u32::MAX - stock);
    unreserve(database, tenant, order, given, order.quantity.get() - given).await?;
    seen.show(database, tenant, &order.product.id, change(Some(stock)), foreseen).await
}

/// Ends the reservation of an order's pieces, and gives some back to the stock.
async fn unreserve(
    database: &Transaction,
    tenant: &str,
    order: &Order,
    given: u32,
    given_up: u32,
) -> Outcome<()> {
    let update = "UPDATE products
         SET reserved = reserved - $3, stock = stock + $4, stock_supplied = stock_supplied - $5
         WHERE tenant_id = $1 AND id = $2 AND reserved - $3 >= 0";
    let product = order.product.id.as_str();
    let [pieces, given, given_up] = [order.quantity.get(), given, given_up].map(i64::from);
    match database.execute(update, &[&tenant, &product, &pieces, &given, &given_up]).await? {
        1 => Ok(()),
        _ => Err(wrong("products", product, "fewer pieces are reserved than were ordered")),
    }
}

/// Where the pieces of a product stand.
struct Shelf {
    stock: Option<u32>,
    is_retired: bool,
    seen: Seen,
}

/// What is left of a product, retired or not.
async fn find_shelf(database: &Transaction, tenant: &str, product: &ProductId) -> Outcome<Shelf> {
    let select = "SELECT id, stock, retired_at, products.version, low_stock_threshold
         FROM products LEFT JOIN catalogue_versions ON catalogue_versions.tenant_id = products.tenant_id
         WHERE products.tenant_id = $1 AND id = $2";
    let row = database.row(select, &[&tenant, &product.as_str()]).await?;
    let row = row.ok_or_else(|| missing("products", product.as_str()))?;
    let record = Record::new("products", 1, &row);
    Ok(Shelf {
        stock: read_stock(&row)?,
        is_retired: record.read_optional(2, timestamp)?.is_some(),
        seen: Seen::read(&record, 3, 4)?,
    })
}

/// What is left of a product as it was seen, and stays so until it is written.
async fn lock_stock(
    database: &Transaction,
    tenant: &str,
    product: &ProductId,
    seen: Seen,
) -> Outcome<Option<u32>> {
    let select = "SELECT id, stock FROM products WHERE tenant_id = $1 AND id = $2 AND version = $3
                  FOR NO KEY UPDATE";
    let row = database.row(select, &[&tenant, &product.as_str(), &seen.version]).await?;
    read_stock(&row.ok_or(StoreFailure::Overtaken)?)
}
