//! A product and its row.

use pointbook_app::commands::{CatalogueRow, ProductWrite};
use pointbook_app::ports::{CatalogueVersion, StoredProduct};
use pointbook_domain::{CategoryId, Price, Product, ProductId, Timestamp};
use rusqlite::{Row, Transaction, params};

use crate::error::Outcome;
use crate::row::{Record, count, missing, timestamp, to_json};

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

/// Finds a row, retired or not.
pub(crate) fn find(
    database: &Transaction<'_>,
    tenant: &str,
    id: &ProductId,
) -> Outcome<Option<CatalogueRow>> {
    let mut select = database.prepare_cached(
        "SELECT id, sku, title, description, description_source, regular_price, sale_price, thumbnail, gallery,
             categories, stock, popular, published_at, active, retired_at, reserved, version, stock_supplied
         FROM products WHERE tenant_id = ?1 AND id = ?2",
    )?;
    let mut rows = select.query([tenant, id.as_str()])?;
    let Some(row) = rows.next()? else { return Ok(None) };
    let StoredProduct { product, reserved, version } = read_stored(row)?;
    let record = Record::new("products", 1, row);
    let retired_at = record.read_optional(14, timestamp)?;
    Ok(Some(CatalogueRow { product, retired_at, reserved, version, supplied: record.get(17)? }))
}

/// How many pieces orders took out of the limited stock of a product and did not give back.
pub(crate) fn taken_pieces(database: &Transaction<'_>, tenant: &str, id: &ProductId) -> Outcome<i64> {
    let mut select = database.prepare_cached(
        "SELECT coalesce(sum(quantity), 0) FROM orders
         WHERE tenant_id = ?1 AND product_id = ?2 AND status IN ('placed', 'fulfilled') AND takes_stock = 1",
    )?;
    Ok(select.query_row([tenant, id.as_str()], |row| row.get(0))?)
}

/// `reserved` is the business of orders alone.
const UPSERT: &str =
    "INSERT INTO products (tenant_id, id, sku, title, description, description_source, regular_price, sale_price,
         thumbnail, gallery, categories, stock, popular, published_at, active, version, stock_supplied, retired_at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, NULL)
     ON CONFLICT (tenant_id, id) DO UPDATE SET sku = excluded.sku, title = excluded.title,
         description = excluded.description, description_source = excluded.description_source,
         regular_price = excluded.regular_price, sale_price = excluded.sale_price, thumbnail = excluded.thumbnail,
         gallery = excluded.gallery, categories = excluded.categories, stock = excluded.stock,
         popular = excluded.popular, published_at = excluded.published_at, active = excluded.active,
         version = excluded.version, retired_at = excluded.retired_at, stock_supplied = excluded.stock_supplied";

/// Writes a product over the row that has its id, if any.
pub(crate) fn write(
    database: &Transaction<'_>,
    tenant: &str,
    write: &ProductWrite,
    version: i64,
) -> Outcome<()> {
    let ProductWrite { product, supplied } = write;
    let Product { id, sku, title, description, description_source, regular_price, sale_price, .. } = product;
    let Product { thumbnail, gallery, categories, stock, popular, published_at, active, .. } = product;
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
        supplied,
    ])?;
    Ok(())
}

/// Makes a product that is not retired a tombstone.
pub(crate) fn retire(
    database: &Transaction<'_>,
    tenant: &str,
    id: &ProductId,
    at: Timestamp,
    version: i64,
) -> Outcome<()> {
    let mut retire = database.prepare_cached(
        "UPDATE products SET retired_at = ?3, version = ?4 WHERE tenant_id = ?1 AND id = ?2 AND retired_at IS NULL",
    )?;
    match retire.execute(params![tenant, id.as_str(), at.as_micros(), version])? {
        1 => Ok(()),
        _ => Err(missing("products", id.as_str())),
    }
}

fn categories_to_json(categories: &[CategoryId]) -> Outcome<String> {
    to_json(&categories.iter().map(CategoryId::as_str).collect::<Vec<_>>())
}

fn categories_from_json(json: &str) -> Result<Vec<CategoryId>, String> {
    let ids: Vec<Box<str>> = serde_json::from_str(json).map_err(|error| error.to_string())?;
    ids.into_iter().map(|id| CategoryId::new(id).map_err(|error| error.to_string())).collect()
}
