//! Reads of products.

use pointbook_app::ports::{CatalogueVersion, PageOf, ProductChange, StockCount, StoredProduct};
use pointbook_domain::{PageRequest, ProductId};
use pointbook_schema::rows::ProductRow;
use pointbook_schema::{Group, pages, select, sql};

use crate::connection::{Connection, Params};
use crate::error::Outcome;

/// The product, unless it is retired.
pub(super) async fn find(
    database: &Connection,
    tenant: &str,
    id: &ProductId,
) -> Outcome<Option<StoredProduct>> {
    let select = select!(ProductRow, "WHERE tenant_id = $1 AND id = $2 AND retired_at IS NULL");
    let row: Option<ProductRow> = database.one(select, &[&tenant, &id.as_str()]).await?;
    Ok(row.map(StoredProduct::from))
}

/// A page by id. To be called inside a read transaction, so that page and total fit together. A search
/// is for a part, not for a pattern: no character in it has a meaning.
pub(super) async fn page(
    database: &Connection,
    tenant: &str,
    search: Option<&str>,
    page: PageRequest,
) -> Outcome<PageOf<StoredProduct>> {
    if search.is_some_and(|part| part.contains('\0')) {
        // No text holds it, and PostgreSQL does not even take it as a value.
        return Ok(PageOf { items: Vec::new(), total: 0 });
    }
    let search = search.map(str::to_ascii_lowercase);
    let found = pages!(
        ProductRow,
        "WHERE tenant_id = $1 AND retired_at IS NULL AND (
             $2::TEXT IS NULL OR strpos(lower(id), $2) > 0 OR strpos(lower(sku), $2) > 0
             OR strpos(lower(title), $2) > 0)",
        "ORDER BY id LIMIT $3 OFFSET $4"
    );
    let PageOf { items, total } = database.page::<ProductRow>(found, &[&tenant, &search], page).await?;
    Ok(PageOf { items: items.into_iter().map(StoredProduct::from).collect(), total })
}

/// The catalogue as it is, in the order of its key.
pub(super) async fn not_retired(
    database: &Connection,
    tenant: &str,
    after: &str,
    limit: u32,
) -> Outcome<Vec<ProductChange>> {
    let sql =
        select!(ProductRow, "WHERE tenant_id = $1 AND id > $2 AND retired_at IS NULL ORDER BY id LIMIT $3");
    read(database, sql, &[&tenant, &after, &i64::from(limit)]).await
}

/// What changed after a version. The changed ids are found on their own, since few rows changed: a limit
/// in the same query makes a walk along the whole key look short.
pub(super) async fn changed(
    database: &Connection,
    tenant: &str,
    since: CatalogueVersion,
    after: &str,
    limit: u32,
) -> Outcome<Vec<ProductChange>> {
    let sql = sql!(format!(
        "WITH changed AS MATERIALIZED (
             SELECT id FROM products WHERE tenant_id = $1 AND version > $2 AND id > $3
         ) {}",
        ProductRow::select(
            "WHERE tenant_id = $1 AND id IN (SELECT id FROM changed ORDER BY id LIMIT $4) ORDER BY id"
        )
    ));
    // No stored version exceeds what is stored as a signed number.
    let since = i64::try_from(since.0).unwrap_or(i64::MAX);
    read(database, sql, &[&tenant, &since, &after, &i64::from(limit)]).await
}

async fn read<T: From<ProductRow>>(database: &Connection, sql: &str, params: Params<'_>) -> Outcome<Vec<T>> {
    let rows: Vec<ProductRow> = database.all(sql, params).await?;
    Ok(rows.into_iter().map(T::from).collect())
}

/// The stock of products beside what their orders come to. One walk along the key, and for each product one along its
/// orders in the index, which holds all that is summed.
pub(super) async fn stock_counts(
    database: &Connection,
    tenant: &str,
    after: &str,
    limit: u32,
) -> Outcome<Vec<StockCount>> {
    let select = "SELECT id, stock, stock_supplied, reserved, placed_pieces, taken_pieces
         FROM (
             SELECT tenant_id, id, stock, stock_supplied, reserved FROM products
             WHERE tenant_id = $1 AND id > $2 ORDER BY id LIMIT $3
         ) AS counted CROSS JOIN LATERAL (
             SELECT coalesce(sum(quantity) FILTER (WHERE status = 'placed'), 0)::BIGINT AS placed_pieces,
                 coalesce(sum(quantity) FILTER (WHERE status <> 'cancelled' AND takes_stock), 0)::BIGINT
                     AS taken_pieces
             FROM orders WHERE orders.tenant_id = counted.tenant_id AND orders.product_id = counted.id
         ) AS summed
         ORDER BY id";
    database.all(select, &[&tenant, &after, &i64::from(limit)]).await
}
