//! Saves what commands changed. The writer is alone, so a failed guard means that something outside of the service wrote.

use std::sync::Arc;

use rusqlite::{Transaction, params, params_from_iter};

use crate::commands::{Changes, TableChanges, Update, Work};
use crate::schema::texts::MAKE_JOBS_DUE;
use crate::schema::{CellRef, Dialect, OnConflict, Query, Row};
use crate::sqlite::error::{Outcome, StoreFailure};
use crate::sqlite::row::value;
use crate::sqlite::writer::SharedCommit;
use crate::sqlite::{audit_log, feed, jobs, once, rows};

pub(super) fn changes(database: &SharedCommit<'_>, tenant: &Arc<str>, changes: &Changes) -> Outcome<()> {
    let Changes { removed_ranges, all_due_at, due_jobs, audit, responses, key_uses, .. } = changes;
    changes.by_reference().into_iter().try_for_each(|changed| table(database, tenant, changed))?;
    removed_ranges.iter().try_for_each(|range| remove_range(database, tenant, range))?;
    if let Some(at) = all_due_at {
        let due = MAKE_JOBS_DUE.write(Dialect::Sqlite);
        database.execute(due, params![tenant, at.as_micros()])?;
    }
    due_jobs.iter().try_for_each(|(job, at)| jobs::schedule(database, tenant, job, *at))?;
    for kept in responses {
        once::insert(database, tenant, &kept.key, kept.now, &kept.response)?;
    }
    key_uses.iter().try_for_each(|used| once::touch(database, tenant, &used.key, used.now))?;
    feed::append(database, tenant, changes);
    audit_log::append(database, tenant, audit)
}

fn table(database: &Transaction<'_>, tenant: &str, changed: &TableChanges) -> Outcome<()> {
    let TableChanges { kind, inserted, updated, overwritten, removed } = changed;
    let all = |work, rows: &[Row]| {
        let statement = kind.statement(Dialect::Sqlite, work);
        rows.iter().try_for_each(|row| execute(database, &statement.sql, tenant, row).map(drop))
    };
    all(Work::Insert(OnConflict::Fail), inserted)?;
    all(Work::Insert(OnConflict::Replace), overwritten)?;
    all(Work::Delete, removed)?;
    for row in updated {
        let Update { shape, values } = changed.update(row, &[]);
        let update = kind.statement(Dialect::Sqlite, Work::Update(shape));
        if execute(database, &update.sql, tenant, &values)? != 1 {
            let key = format!("table {}, key ({})", kind.table.name, kind.describe_key(&row.after));
            return Err(StoreFailure::Corrupt(format!("{key}: has changed since it was read")));
        }
    }
    Ok(())
}

fn execute(database: &Transaction<'_>, sql: &str, tenant: &str, row: &Row) -> Outcome<usize> {
    let tenant = CellRef::Text(tenant.into());
    let values: Vec<CellRef<'_>> = std::iter::once(tenant).chain(row.iter().map(CellRef::from)).collect();
    Ok(database.prepare_cached(sql)?.execute(params_from_iter(values.iter().map(value)))?)
}

fn remove_range(database: &Transaction<'_>, tenant: &str, range: &Query) -> Outcome<()> {
    let values: Vec<_> = rows::conditions(tenant, range).collect();
    let delete = range.delete(Dialect::Sqlite);
    database.prepare_cached(&delete)?.execute(params_from_iter(values.iter().map(value)))?;
    Ok(())
}
