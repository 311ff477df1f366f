//! Loads and saves rows of small tables.

use rusqlite::Transaction;

use crate::commands::{Facts, Needs, RowChange};
use crate::schema::{Dialect, Statement};
use crate::sqlite::error::Outcome;
use crate::sqlite::{row, rows};

pub(super) fn load(
    database: &Transaction<'_>,
    tenant: &str,
    needs: &Needs,
    facts: &mut Facts,
) -> Outcome<()> {
    for need in &needs.rows {
        facts.load_rows(need.clone(), rows::read(database, tenant, &need.query())?);
    }
    Ok(())
}

pub(super) fn save(database: &Transaction<'_>, tenant: &str, change: &RowChange) -> Outcome<()> {
    let table = change.table();
    let (statement, row) = match change {
        RowChange::Write(_, row) => (Statement::insert_rows(Dialect::Sqlite, table), row.clone()),
        RowChange::Remove(_, row) => {
            (Statement::delete_rows(Dialect::Sqlite, table), table.key_of(row).to_vec())
        }
    };
    row::write(database, &statement, tenant, &row).map(drop)
}
