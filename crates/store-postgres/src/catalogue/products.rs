//! The products of a catalogue, and what changed of them.

use pointbook_app::ports::{CatalogueVersion, ProductChange};
use pointbook_schema::rows::ProductRow;
use pointbook_schema::{Group, select, sql};

use crate::connection::{Connection, Params};
use crate::error::Outcome;

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
