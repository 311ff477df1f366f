//! Loads the facts that a command needs.

use pointbook_domain::Timestamp;
use rusqlite::{OptionalExtension, Transaction, params, params_from_iter};

use crate::commands::{Facts, Held, Needs, RowNeeds, Work};
use crate::schema::{CellRef, Dialect, Query, Row, TABLES, find_event_after};
use crate::sqlite::error::Outcome;
use crate::sqlite::row::{Stored, value};
use crate::sqlite::rows;

pub(super) fn needs(
    database: &Transaction<'_>,
    tenant: &str,
    needs: &Needs,
    facts: &mut Facts,
) -> Outcome<()> {
    for needs in needs.rows_in_order() {
        rows_of(database, tenant, needs, facts)?;
    }
    if let Some(at) = needs.events_after {
        facts.put_events_after(at, has_events_after(database, tenant, at)?);
    }
    Ok(())
}

fn rows_of(database: &Transaction<'_>, tenant: &str, needs: &RowNeeds, facts: &mut Facts) -> Outcome<()> {
    let RowNeeds { kind, held, read, ranges, existing, filled } = needs;
    let select = kind.statement(Dialect::Sqlite, Work::Select(None));
    for key in held.union(read) {
        let mut select = database.prepare_cached(&select.sql)?;
        let mut found = select.query(params_from_iter(key_values(tenant, key).iter().map(value)))?;
        match found.next()? {
            Some(row) => (kind.put)(facts, &Stored(row), Held::Yes)?,
            None => (kind.put_absent)(facts, key.clone()),
        }
    }
    for (range, query) in ranges {
        rows_of_range(database, tenant, query, |row| Ok((kind.put)(facts, row, Held::Yes)?))?;
        (kind.put_range)(facts, range);
    }
    for key in existing {
        let mut select = database.prepare_cached(&select.sql)?;
        let exists = select.exists(params_from_iter(key_values(tenant, key).iter().map(value)))?;
        facts.put_existing(kind.table.name, key.clone(), exists);
    }
    for range in filled {
        let (tests, values) = range.tests(kind.table);
        let any = kind.statement(Dialect::Sqlite, Work::Any(tests));
        let mut select = database.prepare_cached(&any.sql)?;
        let has_row = select.exists(params_from_iter(key_values(tenant, &values).iter().map(value)))?;
        facts.put_any(kind.table.name, range.clone(), has_row);
    }
    Ok(())
}

fn rows_of_range(
    database: &Transaction<'_>,
    tenant: &str,
    query: &Query,
    mut put: impl FnMut(&Stored<'_>) -> Outcome<()>,
) -> Outcome<()> {
    let mut select = database.prepare_cached(&query.select(Dialect::Sqlite))?;
    let values = rows::parameters(tenant, query);
    let mut found = select.query(params_from_iter(values.iter().map(value)))?;
    while let Some(row) = found.next()? {
        put(&Stored(row))?;
    }
    Ok(())
}

/// The tenant and a key, as parameters.
fn key_values<'v>(tenant: &'v str, key: &'v Row) -> Vec<CellRef<'v>> {
    std::iter::once(CellRef::Text(tenant.into())).chain(key.iter().map(CellRef::from)).collect()
}

/// Whether something of the tenant happened after this time. Only a clock that goes back asks this.
fn has_events_after(database: &Transaction<'_>, tenant: &str, at: Timestamp) -> Outcome<bool> {
    for select in TABLES.iter().filter_map(|table| find_event_after(Dialect::Sqlite, table)) {
        let found = database.query_row(&select, params![tenant, at.as_micros()], |_| Ok(())).optional()?;
        if found.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use pointbook_domain::{Order, TokenRecord};
    use pointbook_testkit::build;
    use rusqlite::Connection;

    use super::*;
    use crate::commands::{RowKind, TableRow};
    use crate::schema::rows::{AwardRow, BudgetShare, EntryRow, ProductOffer, ProductRow, UserRow};
    use crate::sqlite::{SqliteOptions, SqliteStore};

    /// SQLite assumes a small tenant, so it might read all of its rows.
    #[test]
    fn rows_are_found_by_their_keys() {
        fn select<T: TableRow>() -> String {
            RowKind::of::<T>().statement(Dialect::Sqlite, Work::Select(None)).sql.clone()
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("test.db");
        drop(SqliteStore::open(&path, &SqliteOptions::new(build::noon())).unwrap());
        let database = Connection::open(path).unwrap();
        let selects = [
            select::<UserRow>(),
            select::<EntryRow>(),
            select::<Order>(),
            select::<ProductOffer>(),
            select::<ProductRow>(),
            select::<TokenRecord>(),
            select::<AwardRow>(),
            select::<BudgetShare>(),
        ];
        for select in selects {
            let mut plan = database.prepare(&format!("EXPLAIN QUERY PLAN {select}")).unwrap();
            let step: String = plan.raw_query().next().unwrap().unwrap().get("detail").unwrap();
            assert!(step.starts_with("SEARCH") && !step.ends_with("(tenant_id=?)"), "{select}: {step}");
        }
    }
}
