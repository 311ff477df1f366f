//! Loads and saves rows of small tables as a whole.

use pointbook_app::commands::{Facts, Needs, RowChange};
use pointbook_app::ports::Query;
use pointbook_schema::{Dialect, Statement};
use rusqlite::Transaction;

use crate::error::Outcome;
use crate::{row, rows};

pub(super) fn load(
    database: &Transaction<'_>,
    tenant: &str,
    needs: &Needs,
    facts: &mut Facts,
) -> Outcome<()> {
    for table in &needs.tables {
        let all = rows::read(database, tenant, &Query::of_table("load_table", table))?;
        facts.put_table(table, all);
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
