use std::io;

use pointbook_app::ports::{CatalogueVersion, ProductChange, TenantData};
use pointbook_domain::{CategoryId, Product};

use super::error::ExportError;
use super::row_writer::{RowWriter, Value};
use crate::import::PRODUCT_COLUMNS;

/// Products read at a time; each may be long.
const PAGE: u32 = 200;

/// Writes every product that is not retired, by id, with the description as it was given.
pub(super) async fn export(data: &dyn TenantData, mut rows: RowWriter<'_>) -> Result<u64, ExportError> {
    rows.start(&PRODUCT_COLUMNS)?;
    let mut after = None;
    loop {
        let page = data.product_changes(CatalogueVersion::default(), after.as_ref(), PAGE).await?;
        let Some(last) = page.last() else { return Ok(rows.finish()?) };
        after = Some(last.id().clone());
        for change in page {
            if let ProductChange::Upserted(product) = change {
                rows.write(&PRODUCT_COLUMNS, values(*product)?)?;
            }
        }
    }
}

fn values(product: Product) -> io::Result<[Value; PRODUCT_COLUMNS.len()]> {
    let Product {
        id,
        sku,
        title,
        description: _,
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
    } = product;
    let categories: Vec<&str> = categories.iter().map(CategoryId::as_str).collect();
    Ok([
        Value::Text(id.to_string()),
        Value::Text(sku),
        Value::Text(title),
        Value::Text(description_source),
        Value::Number(regular_price.get()),
        Value::optional(sale_price, |price| Value::Number(price.get())),
        Value::Text(thumbnail),
        Value::list(&gallery)?,
        Value::list(&categories)?,
        Value::optional(stock, |pieces| Value::Number(pieces.into())),
        Value::Flag(popular),
        Value::Text(published_at.to_string()),
        Value::Flag(active),
    ])
}
