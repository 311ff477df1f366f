//! Loads and saves the awards of campaigns and the shares of their budgets.

use rusqlite::Transaction;

use crate::commands::{BudgetChange, Changes, Facts, Needs};
use crate::schema::rows::{AwardRow, BudgetShare};
use crate::schema::{Dialect, OnConflict, Query, Statement};
use crate::sqlite::error::Outcome;
use crate::sqlite::{row, rows};
use crate::statement;

pub(super) fn load(
    database: &Transaction<'_>,
    tenant: &str,
    needs: &Needs,
    facts: &mut Facts,
) -> Outcome<()> {
    for range in &needs.awards {
        facts.put_awards(range.clone(), read(database, tenant, &range.query())?);
    }
    for need in &needs.budgets {
        facts.put_budget(need, read(database, tenant, &need.query())?);
    }
    Ok(())
}

fn read<T: crate::schema::Group + for<'r> crate::schema::Read<'r>>(
    database: &Transaction<'_>,
    tenant: &str,
    query: &Query,
) -> Outcome<Vec<T>> {
    Ok(query.read(&rows::read(database, tenant, query)?)?)
}

/// No guard is needed, because the transaction holds the write lock.
pub(super) fn save(database: &Transaction<'_>, tenant: &str, changes: &Changes) -> Outcome<()> {
    let insert = statement!(Statement::insert::<AwardRow>(Dialect::Sqlite, OnConflict::Fail));
    for award in &changes.awards {
        row::write(database, insert, tenant, award)?;
    }
    let upsert = statement!(Statement::insert::<BudgetShare>(Dialect::Sqlite, OnConflict::Replace));
    for BudgetChange { before: _, after } in &changes.budgets {
        row::write(database, upsert, tenant, after)?;
    }
    Ok(())
}
