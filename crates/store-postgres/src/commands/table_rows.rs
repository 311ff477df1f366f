//! Loads and saves rows of small tables as a whole.

use pointbook_app::commands::{Facts, Needs, RowChange};
use pointbook_app::ports::{Query, Row};
use pointbook_schema::{Dialect, Statement};

use crate::catalogue::NextVersion;
use crate::connection::Transaction;
use crate::error::Outcome;
use crate::raw_rows;

/// Locks the version of the catalogue first. So two transactions that change such tables of a tenant take turns, also when both
/// insert a row.
pub(super) async fn load(
    database: &Transaction,
    tenant: &str,
    needs: &Needs,
    facts: &mut Facts,
) -> Outcome<()> {
    if !needs.tables.is_empty() {
        NextVersion::take(database, tenant).await?;
    }
    for table in &needs.tables {
        let all = raw_rows::read(database, tenant, &Query::of_table("load_table", table)).await?;
        facts.put_table(table, all);
    }
    Ok(())
}

pub(super) async fn save(database: &Transaction, tenant: &str, changes: &[RowChange]) -> Outcome<()> {
    for change in changes {
        let table = change.table();
        match change {
            RowChange::Write(_, row) => {
                raw_rows::check_texts(table, std::slice::from_ref(row))?;
                let insert = Statement::insert_rows(Dialect::Postgres, table);
                database.write(&insert, tenant, std::slice::from_ref(row)).await?;
            }
            RowChange::Remove(_, row) => {
                let key: Row = table.key_of(row).to_vec();
                database.write(&Statement::delete_rows(Dialect::Postgres, table), tenant, &[key]).await?;
            }
        }
    }
    Ok(())
}
