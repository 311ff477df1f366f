//! A product and its row.

use std::collections::BTreeSet;

use pointbook_app::commands::{CatalogueRow, Facts, ProductWrite};
use pointbook_app::ports::{CatalogueVersion, ProductChange, StoredProduct};
use pointbook_domain::ProductId;
use pointbook_domain::{CategoryId, Price, Product, Timestamp};
use tokio_postgres::Row;

use crate::connection::Transaction;
use crate::error::{Outcome, StoreFailure};
use crate::row::{Record, count, timestamp, to_json};
use crate::value::Value;

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

/// Rows in full, retired or not. No other transaction changes them before this one ends.
pub(crate) async fn hold(
    database: &Transaction,
    tenant: &str,
    ids: &BTreeSet<ProductId>,
) -> Outcome<Vec<Row>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<&str> = ids.iter().map(ProductId::as_str).collect();
    let select =
        "SELECT id, sku, title, description, description_source, regular_price, sale_price, thumbnail,
             gallery, categories, stock, popular, published_at, active, retired_at, reserved, version,
             stock_supplied
         FROM products WHERE tenant_id = $1 AND id = ANY ($2::text[]) ORDER BY id FOR NO KEY UPDATE";
    database.rows(select, &[&tenant, &ids]).await
}

/// Puts the rows of [`hold`] among the facts.
pub(crate) fn put(rows: &[Row], facts: &mut Facts) -> Outcome<()> {
    for row in rows {
        let ProductRow { product, retired_at, reserved, version } = read(row)?;
        let supplied = Record::new("products", 1, row).get(17)?;
        let id = product.id.clone();
        let row = CatalogueRow { product, retired_at, reserved, version, supplied };
        facts.put_catalogue_product(id, Some(row));
    }
    Ok(())
}

/// How many pieces orders took out of the limited stock of products and did not give back.
pub(crate) async fn taken_pieces(
    database: &Transaction,
    tenant: &str,
    ids: &BTreeSet<ProductId>,
) -> Outcome<Vec<Row>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<&str> = ids.iter().map(ProductId::as_str).collect();
    let select = "SELECT product_id, coalesce(sum(quantity), 0)::bigint FROM orders
         WHERE tenant_id = $1 AND product_id = ANY ($2::text[]) AND status IN ('placed', 'fulfilled')
             AND takes_stock
         GROUP BY product_id";
    database.rows(select, &[&tenant, &ids]).await
}

/// Puts the rows of [`taken_pieces`] among the facts.
pub(crate) fn put_taken_pieces(rows: &[Row], facts: &mut Facts) -> Outcome<()> {
    for row in rows {
        let record = Record::new("orders", 1, row);
        facts.put_taken_pieces(record.read(0, |id: &str| ProductId::new(id))?, record.get(1)?);
    }
    Ok(())
}

/// `reserved` is the business of orders alone.
const UPSERT: &str =
    "INSERT INTO products (tenant_id, id, sku, title, description, description_source, regular_price, sale_price,
         thumbnail, gallery, categories, stock, popular, published_at, active, version, stock_supplied, retired_at)
     SELECT $1::TEXT, id, sku, title, description, description_source, regular_price, sale_price,
         thumbnail, gallery, categories, stock, popular, published_at, active, $2::BIGINT, supplied, NULL
     FROM unnest($3::TEXT[], $4::TEXT[], $5::TEXT[], $6::TEXT[], $7::TEXT[], $8::BIGINT[], $9::BIGINT[],
         $10::TEXT[], $11::TEXT[], $12::TEXT[], $13::BIGINT[], $14::BOOLEAN[], $15::BIGINT[], $16::BOOLEAN[],
         $17::BIGINT[])
         AS given (id, sku, title, description, description_source, regular_price, sale_price,
             thumbnail, gallery, categories, stock, popular, published_at, active, supplied)
     ON CONFLICT (tenant_id, id) DO UPDATE SET sku = excluded.sku, title = excluded.title,
         description = excluded.description, description_source = excluded.description_source,
         regular_price = excluded.regular_price, sale_price = excluded.sale_price, thumbnail = excluded.thumbnail,
         gallery = excluded.gallery, categories = excluded.categories, stock = excluded.stock,
         popular = excluded.popular, published_at = excluded.published_at, active = excluded.active,
         version = excluded.version, retired_at = excluded.retired_at,
         stock_supplied = excluded.stock_supplied";

/// Writes products, of which no two have the same id, over the rows that have their ids. Those rows are
/// locked, so that stock and orders stand still.
pub(crate) async fn write(
    database: &Transaction,
    tenant: &str,
    products: &[ProductWrite],
    version: i64,
) -> Outcome<()> {
    if products.is_empty() {
        return Ok(());
    }
    let mut columns = Columns::default();
    for product in products {
        columns.push(product)?;
    }
    let Columns { id, sku, title, description, description_source, regular_price, sale_price, .. } = &columns;
    let Columns { thumbnail, gallery, categories, stock, popular, published_at, active, supplied, .. } =
        &columns;
    let params: [&(dyn Value + Sync); 17] = [
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
        supplied,
    ];
    database.execute(UPSERT, &params).await?;
    Ok(())
}

/// Makes products that are not retired tombstones.
pub(crate) async fn retire(
    database: &Transaction,
    tenant: &str,
    retired: &[(ProductId, Timestamp)],
    version: i64,
) -> Outcome<()> {
    if retired.is_empty() {
        return Ok(());
    }
    let ids: Vec<&str> = retired.iter().map(|(id, _)| id.as_str()).collect();
    let times: Vec<i64> = retired.iter().map(|(_, at)| at.as_micros()).collect();
    let update = "UPDATE products SET retired_at = given.retired_at, version = $4
                  FROM unnest($2::text[], $3::bigint[]) AS given (id, retired_at)
                  WHERE products.tenant_id = $1 AND products.id = given.id AND products.retired_at IS NULL";
    let updated = database.execute(update, &[&tenant, &ids, &times, &version]).await?;
    if updated == retired.len() as u64 { Ok(()) } else { Err(StoreFailure::Overtaken) }
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
    supplied: Vec<Option<i64>>,
}

impl<'p> Columns<'p> {
    fn push(&mut self, write: &'p ProductWrite) -> Outcome<()> {
        let ProductWrite { product, supplied } = write;
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
        self.supplied.push(*supplied);
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
