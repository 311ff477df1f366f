//! Loads and saves rows of small tables.

use crate::commands::{Facts, Needs, RowChange};
use crate::ports::Row;
use crate::postgres::catalogue::NextVersion;
use crate::postgres::connection::Transaction;
use crate::postgres::error::Outcome;
use crate::postgres::raw_rows;
use crate::schema::{Dialect, Statement};

/// Locks the version of the catalogue first. So two transactions that change such tables of a tenant take turns, also when both
/// insert a row.
pub(super) async fn load(
    database: &Transaction,
    tenant: &str,
    needs: &Needs,
    facts: &mut Facts,
) -> Outcome<()> {
    if !needs.rows.is_empty() {
        NextVersion::take(database, tenant).await?;
    }
    for need in &needs.rows {
        facts.load_rows(need.clone(), raw_rows::read(database, tenant, &need.query()).await?);
    }
    Ok(())
}

/// Consecutive changes of one kind and table are one statement. A command may write hundreds of rows.
pub(super) async fn save(database: &Transaction, tenant: &str, changes: &[RowChange]) -> Outcome<()> {
    for alike in changes.chunk_by(are_alike) {
        let Some(first) = alike.first() else { continue };
        let (table, rows) = (first.table(), alike.iter().map(RowChange::row));
        if let RowChange::Write(..) = first {
            let rows: Vec<Row> = rows.cloned().collect();
            raw_rows::check_texts(table, &rows)?;
            database.write(&Statement::insert_rows(Dialect::Postgres, table), tenant, &rows).await?;
        } else {
            let keys: Vec<Row> = rows.map(|row| table.key_of(row).to_vec()).collect();
            database.write(&Statement::delete_rows(Dialect::Postgres, table), tenant, &keys).await?;
        }
    }
    Ok(())
}

fn are_alike(one: &RowChange, other: &RowChange) -> bool {
    let kind = |change: &RowChange| matches!(change, RowChange::Write(..));
    one.table().name == other.table().name && kind(one) == kind(other)
}
