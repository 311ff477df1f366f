//! A product and its row.

use pointbook_app::ports::{CatalogueVersion, ProductChange, StoredProduct};
use pointbook_domain::ProductId;
use pointbook_domain::{CategoryId, Price, Product, Timestamp};
use tokio_postgres::Row;

use crate::connection::Transaction;
use crate::error::Outcome;
use crate::row::{Record, count, timestamp, to_json};

/// The statement that selects products, as [`read`] takes them: where and in which order is the caller's.
macro_rules! select_products {
    ($which:literal) => {
        concat!(
            "SELECT id, sku, title, description, description_source, regular_price, sale_price, thumbnail, gallery,
                 categories, stock, popular, published_at, active, retired_at, reserved, version
             FROM products ",
            $which
        )
    };
}
pub(super) use select_products;

/// A row of the table; a tombstone when it was retired.
pub(super) struct ProductRow {
    pub(super) product: Product,
    pub(super) retired_at: Option<Timestamp>,
    reserved: u64,
    version: CatalogueVersion,
}

impl ProductRow {
    /// As the operator sees it.
    pub(super) fn stored(self) -> StoredProduct {
        let Self { product, retired_at: _, reserved, version } = self;
        StoredProduct { product, reserved, version }
    }

    /// As a snapshot learns of it.
    pub(super) fn change(self) -> ProductChange {
        match self.retired_at {
            None => ProductChange::Upserted(Box::new(self.product)),
            Some(_) => ProductChange::Retired(self.product.id),
        }
    }
}

/// Reads a row of a statement that selects the columns in this order.
pub(super) fn read(row: &Row) -> Outcome<ProductRow> {
    let record = Record::new("products", 1, row);
    let product = Product {
        id: record.read(0, |id: &str| ProductId::new(id))?,
        sku: record.get(1)?,
        title: record.get(2)?,
        description: record.get(3)?,
        description_source: record.get(4)?,
        regular_price: record.read(5, Price::new)?,
        sale_price: record.read_optional(6, Price::new)?,
        thumbnail: record.get(7)?,
        gallery: record.json(8)?,
        categories: record.parse(9, categories_from_json)?,
        stock: record.read_optional(10, count)?,
        popular: record.get(11)?,
        published_at: record.read(12, timestamp)?,
        active: record.get(13)?,
    };
    Ok(ProductRow {
        product,
        retired_at: record.read_optional(14, timestamp)?,
        reserved: record.read(15, count)?,
        version: CatalogueVersion(record.read(16, count)?),
    })
}

/// Whatever was supplied, what is left of it is what the operator says now, and orders have the rest. So
/// another stock is more or less supplied; one that was unlimited has its orders to count; one that
/// becomes unlimited has nothing to count. `reserved` is the business of orders alone.
const UPSERT: &str =
    "INSERT INTO products (tenant_id, id, sku, title, description, description_source, regular_price, sale_price,
         thumbnail, gallery, categories, stock, popular, published_at, active, version, stock_supplied, retired_at)
     SELECT $1::TEXT, id, sku, title, description, description_source, regular_price, sale_price,
         thumbnail, gallery, categories, stock, popular, published_at, active, $2::BIGINT, stock, NULL
     FROM unnest($3::TEXT[], $4::TEXT[], $5::TEXT[], $6::TEXT[], $7::TEXT[], $8::BIGINT[], $9::BIGINT[],
         $10::TEXT[], $11::TEXT[], $12::TEXT[], $13::BIGINT[], $14::BOOLEAN[], $15::BIGINT[], $16::BOOLEAN[])
         AS given (id, sku, title, description, description_source, regular_price, sale_price,
             thumbnail, gallery, categories, stock, popular, published_at, active)
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
                 SELECT coalesce(sum(orders.quantity), 0)::BIGINT FROM orders
                 WHERE orders.tenant_id = excluded.tenant_id AND orders.product_id = excluded.id
                     AND orders.status IN ('placed', 'fulfilled') AND orders.takes_stock
             )
         END";

/// Writes products, of which no two have the same id, over whatever rows have their ids. Those rows are
/// locked, so that stock and orders stand still.
pub(super) async fn write(
    database: &Transaction,
    tenant: &str,
    products: &[&Product],
    version: i64,
) -> Outcome<()> {
    let mut columns = Columns::default();
    for product in products {
        columns.push(product)?;
    }
    let Columns { id, sku, title, description, description_source, regular_price, sale_price, .. } = &columns;
    let Columns { thumbnail, gallery, categories, stock, popular, published_at, active, .. } = &columns;
    database
        .execute(
            UPSERT,
            &[
                &tenant,
                &version,
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
                stock,
                popular,
                published_at,
                active,
            ],
        )
        .await?;
    Ok(())
}

/// Products, column by column.
#[derive(Default)]
struct Columns<'p> {
    id: Vec<&'p str>,
    sku: Vec<&'p str>,
    title: Vec<&'p str>,
    description: Vec<&'p str>,
    description_source: Vec<&'p str>,
    regular_price: Vec<i64>,
    sale_price: Vec<Option<i64>>,
    thumbnail: Vec<&'p str>,
    gallery: Vec<String>,
    categories: Vec<String>,
    stock: Vec<Option<i64>>,
    popular: Vec<bool>,
    published_at: Vec<i64>,
    active: Vec<bool>,
}

impl<'p> Columns<'p> {
    fn push(&mut self, product: &'p Product) -> Outcome<()> {
        let Product { id, sku, title, description, description_source, regular_price, sale_price, .. } =
            product;
        let Product { thumbnail, gallery, categories, stock, popular, published_at, active, .. } = product;
        self.id.push(id.as_str());
        self.sku.push(sku);
        self.title.push(title);
        self.description.push(description);
        self.description_source.push(description_source);
        self.regular_price.push(regular_price.get());
        self.sale_price.push(sale_price.map(Price::get));
        self.thumbnail.push(thumbnail);
        self.gallery.push(to_json(gallery)?);
        self.categories.push(categories_to_json(categories)?);
        self.stock.push(stock.map(i64::from));
        self.popular.push(*popular);
        self.published_at.push(published_at.as_micros());
        self.active.push(*active);
        Ok(())
    }
}

fn categories_to_json(categories: &[CategoryId]) -> Outcome<String> {
    to_json(&categories.iter().map(CategoryId::as_str).collect::<Vec<_>>())
}

fn categories_from_json(json: &str) -> Result<Vec<CategoryId>, String> {
    let ids: Vec<Box<str>> = serde_json::from_str(json).map_err(|error| error.to_string())?;
    ids.into_iter().map(|id| CategoryId::new(id).map_err(|error| error.to_string())).collect()
}
