//! A product and its row.

use pointbook_app::ports::{CatalogueVersion, StoredProduct};
use pointbook_domain::{CategoryId, Price, Product, ProductId, Timestamp};
use rusqlite::{Row, Transaction, params};

use crate::error::Outcome;
use crate::row::{Record, count, timestamp, to_json};

/// A row of the table; a tombstone when it was retired.
pub(super) struct ProductRow {
    pub(super) product: Product,
    pub(super) retired_at: Option<Timestamp>,
}

/// Reads a row of a statement that selects the columns in this order.
pub(super) fn read(row: &Row<'_>) -> Outcome<ProductRow> {
    let record = Record::new("products", 1, row);
    let product = Product {
        id: record.read(0, |id: Box<str>| ProductId::new(id))?,
        sku: record.get(1)?,
        title: record.get(2)?,
        description: record.get(3)?,
        description_source: record.get(4)?,
        regular_price: record.read(5, Price::new)?,
        sale_price: record.read_optional(6, Price::new)?,
        thumbnail: record.get(7)?,
        gallery: record.json(8)?,
        categories: record.parse(9, categories_from_json)?,
        stock: record.get(10)?,
        popular: record.get(11)?,
        published_at: record.read(12, timestamp)?,
        active: record.get(13)?,
    };
    Ok(ProductRow { product, retired_at: record.read_optional(14, timestamp)? })
}

/// Reads a row of a statement that selects reserved pieces and version behind the columns of [`read`].
pub(super) fn read_stored(row: &Row<'_>) -> Outcome<StoredProduct> {
    let ProductRow { product, retired_at: _ } = read(row)?;
    let record = Record::new("products", 1, row);
    let reserved = record.read(15, count)?;
    let version = CatalogueVersion(record.read(16, count)?);
    Ok(StoredProduct { product, reserved, version })
}

/// Whatever was supplied, what is left of it is what the operator says now, and orders have the rest. So
/// another stock is more or less supplied; one that was unlimited has its orders to count; one that
/// becomes unlimited has nothing to count. `reserved` is the business of orders alone.
const UPSERT: &str =
    "INSERT INTO products (tenant_id, id, sku, title, description, description_source, regular_price, sale_price,
         thumbnail, gallery, categories, stock, popular, published_at, active, version, stock_supplied, retired_at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?12, NULL)
     ON CONFLICT (tenant_id, id) DO UPDATE SET sku = excluded.sku, title = excluded.title,
         description = excluded.description, description_source = excluded.description_source,
         regular_price = excluded.regular_price, sale_price = excluded.sale_price, thumbnail = excluded.thumbnail,
         gallery = excluded.gallery, categories = excluded.categories, stock = excluded.stock,
         popular = excluded.popular, published_at = excluded.published_at, active = excluded.active,
         version = excluded.version, retired_at = excluded.retired_at,
         stock_supplied = CASE
             WHEN excluded.stock IS NULL THEN NULL
             WHEN products.stock IS NOT NULL THEN products.stock_supplied + excluded.stock - products.stock
             ELSE excluded.stock + (
                 SELECT coalesce(sum(orders.quantity), 0) FROM orders
                 WHERE orders.tenant_id = excluded.tenant_id AND orders.product_id = excluded.id
                     AND orders.status IN ('placed', 'fulfilled') AND orders.takes_stock = 1
             )
         END";

/// What is stored of a product beside what is given, which may leave stock and publication as they are.
#[derive(Clone, Copy)]
pub(super) struct Stored {
    pub(super) stock: Option<u32>,
    pub(super) published_at: Timestamp,
    pub(super) version: i64,
}

/// Writes a product over whatever row has its id.
pub(super) fn write(database: &Transaction<'_>, tenant: &str, product: &Product, row: Stored) -> Outcome<()> {
    let Product {
        id,
        sku,
        title,
        description,
        description_source,
        regular_price,
        sale_price,
        thumbnail,
        gallery,
        categories,
        stock: _,
        popular,
        published_at: _,
        active,
    } = product;
    let Stored { stock, published_at, version } = row;
    let mut upsert = database.prepare_cached(UPSERT)?;
    upsert.execute(params![
        tenant,
        id.as_str(),
        sku,
        title,
        description,
        description_source,
        regular_price.get(),
        sale_price.map(Price::get),
        thumbnail,
        to_json(gallery)?,
        categories_to_json(categories)?,
        stock,
        popular,
        published_at.as_micros(),
        active,
        version,
    ])?;
    Ok(())
}

fn categories_to_json(categories: &[CategoryId]) -> Outcome<String> {
    to_json(&categories.iter().map(CategoryId::as_str).collect::<Vec<_>>())
}

fn categories_from_json(json: &str) -> Result<Vec<CategoryId>, String> {
    let ids: Vec<Box<str>> = serde_json::from_str(json).map_err(|error| error.to_string())?;
    ids.into_iter().map(|id| CategoryId::new(id).map_err(|error| error.to_string())).collect()
}
