//! Statements for raw rows of any table.

use tokio_postgres::Row as StoredRow;

use crate::ports::{Cell, Query, Row};
use crate::postgres::connection::Connection;
use crate::postgres::error::{Outcome, StoreFailure};
use crate::postgres::row::{AnyValue, Stored, value};
use crate::postgres::value::Value;
use crate::schema::{Column, ColumnAt, Corrupt, Dialect, Hold, Kind, Record, Table};

/// Refuses U+0000 and names its row and column. PostgreSQL refuses it too, but does not name them.
pub(crate) fn check_texts(table: &Table, columns: &[Column], rows: &[Row]) -> Outcome<()> {
    for row in rows {
        for (column, cell) in columns.iter().zip(row) {
            if has_nul(cell) {
                let row = table.describe(row);
                let problem = format!("{row}, column {}: PostgreSQL cannot store U+0000", column.name);
                return Err(StoreFailure::Corrupt(problem));
            }
        }
    }
    Ok(())
}

/// Refuses U+0000 in the values of updates.
pub(crate) fn check_values(table: &Table, rows: &[Row]) -> Outcome<()> {
    if rows.iter().flatten().any(has_nul) {
        return Err(StoreFailure::Corrupt(format!("table {}: PostgreSQL cannot store U+0000", table.name)));
    }
    Ok(())
}

fn has_nul(cell: &Cell) -> bool {
    matches!(cell, Cell::Text(text) if text.contains('\0'))
}

pub(crate) async fn read(database: &Connection, tenant: &str, query: &Query) -> Outcome<Vec<Row>> {
    let rows = select(database, tenant, query, None).await?;
    rows.iter().map(|stored| cells(query.table, &query.columns, stored)).collect()
}

/// The rows of a query, which a transaction may lock.
pub(crate) async fn select(
    database: &Connection,
    tenant: &str,
    query: &Query,
    hold: Option<Hold>,
) -> Outcome<Vec<StoredRow>> {
    query.check_tenant(tenant)?;
    if matches_no_row(query) {
        return Ok(Vec::new());
    }
    let cells = values(query);
    // The offset is at most the largest page number (31 bits) times the largest size (32 bits), so it fits an `i64`.
    let (limit, offset) = (i64::from(query.limit), query.offset.cast_signed());
    let bounds: [&(dyn Value + Sync); 2] = [&limit, &offset];
    let params = [query_params(query, &tenant, &cells), bounds.to_vec()].concat();
    let select = query.select(Dialect::Postgres) + hold.map_or("", Hold::clause);
    database.rows(&select, &params).await
}

/// Whether a value has U+0000. PostgreSQL cannot store it, so no row matches, and it refuses it as a parameter.
fn matches_no_row(query: &Query) -> bool {
    query.values().any(|(_, cell)| has_nul(cell))
}

pub(crate) fn values(query: &Query) -> Vec<AnyValue<'_>> {
    query.values().map(|(column, cell)| value(column.kind, cell)).collect()
}

/// How many rows a query has.
pub(crate) async fn count(database: &Connection, tenant: &str, query: &Query) -> Outcome<u64> {
    query.check_tenant(tenant)?;
    if matches_no_row(query) {
        return Ok(0);
    }
    let cells = values(query);
    let (count, params) = (query.count(Dialect::Postgres), query_params(query, &tenant, &cells));
    let (count,) = database.only(query.table.name, &count, &params).await?;
    Ok(count)
}

/// The parameters of the query: the tenant, unless it is of all, then the values of the conditions.
fn query_params<'v>(
    query: &Query,
    tenant: &'v &str,
    values: &'v [AnyValue<'_>],
) -> Vec<&'v (dyn Value + Sync)> {
    let all = params(tenant, values);
    if query.is_of_all_tenants { all.into_iter().skip(1).collect() } else { all }
}

/// The tenant and values, as parameters.
pub(crate) fn params<'v>(tenant: &'v &str, values: &'v [AnyValue<'_>]) -> Vec<&'v (dyn Value + Sync)> {
    let values = values.iter().map(|value| &**value as &(dyn Value + Sync));
    std::iter::once(tenant as &(dyn Value + Sync)).chain(values).collect()
}

/// The cells of a row with these columns. The first of them name it in errors.
pub(crate) fn cells(table: &Table, columns: &[Column], stored: &StoredRow) -> Outcome<Row> {
    let stored = Stored(stored);
    let record = Record::new(table.name, table.key_columns.min(columns.len()), &stored);
    let columns = columns.iter().enumerate();
    columns
        .map(|(place, column)| Ok(cell(&record, column.kind, ColumnAt(place))?.unwrap_or(Cell::Null)))
        .collect()
}

/// `None` for `NULL`.
fn cell<'r>(record: &Record<'r, Stored<'r>>, kind: Kind, place: ColumnAt) -> Result<Option<Cell>, Corrupt> {
    Ok(match kind {
        Kind::Text => record.at::<Option<Box<str>>>(place)?.map(Cell::Text),
        Kind::Bytes => record.at::<Option<&[u8]>>(place)?.map(|bytes| Cell::Bytes(bytes.into())),
        Kind::Truth => record.at::<Option<bool>>(place)?.map(|is_true| Cell::Integer(is_true.into())),
        Kind::Integer => record.at::<Option<i64>>(place)?.map(Cell::Integer),
    })
}
