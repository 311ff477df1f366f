//! Statements for raw rows of any table.

use crate::ports::{Cell, Query, Row};
use crate::postgres::connection::Connection;
use crate::postgres::error::{Outcome, StoreFailure};
use crate::postgres::row::{AnyValue, Stored, value};
use crate::postgres::value::Value;
use crate::schema::{ColumnAt, Corrupt, Dialect, Kind, Record, Table};

/// Refuses U+0000 and names its row and column. PostgreSQL refuses it too, but does not name them.
pub(crate) fn check_texts(table: &Table, rows: &[Row]) -> Outcome<()> {
    for row in rows {
        for (column, cell) in table.columns.iter().zip(row) {
            if matches!(cell, Cell::Text(text) if text.contains('\0')) {
                let row = table.describe(row);
                let problem = format!("{row}, column {}: PostgreSQL cannot store U+0000", column.name);
                return Err(StoreFailure::Corrupt(problem));
            }
        }
    }
    Ok(())
}

pub(crate) async fn read(database: &Connection, tenant: &str, query: &Query) -> Outcome<Vec<Row>> {
    if matches_no_row(query) {
        return Ok(Vec::new());
    }
    let cells = values(query);
    // The offset is at most the largest page number (31 bits) times the largest size (32 bits), so it fits an `i64`.
    let (limit, offset) = (i64::from(query.limit), query.offset.cast_signed());
    let bounds: [&(dyn Value + Sync); 2] = [&limit, &offset];
    let params = [params(&tenant, &cells), bounds.to_vec()].concat();
    let rows = database.rows(&query.select(Dialect::Postgres), &params).await?;
    rows.iter().map(|stored| row(query, &Stored(stored))).collect()
}

/// Whether a value has U+0000. PostgreSQL cannot store it, so no row matches, and it refuses it as a parameter.
pub(crate) fn matches_no_row(query: &Query) -> bool {
    query.values().any(|(_, cell)| matches!(cell, Cell::Text(text) if text.contains('\0')))
}

pub(crate) fn values(query: &Query) -> Vec<AnyValue<'_>> {
    query.values().map(|(column, cell)| value(column.kind, cell)).collect()
}

/// The parameters of the query: the tenant, then the values of the conditions.
pub(crate) fn params<'v>(tenant: &'v &str, values: &'v [AnyValue<'_>]) -> Vec<&'v (dyn Value + Sync)> {
    let values = values.iter().map(|value| &**value as &(dyn Value + Sync));
    std::iter::once(tenant as &(dyn Value + Sync)).chain(values).collect()
}

fn row(query: &Query, stored: &Stored<'_>) -> Outcome<Row> {
    let record = Record::new(query.table.name, query.key_columns, stored);
    let columns = query.columns.iter().enumerate();
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
