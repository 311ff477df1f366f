//! Saves what commands changed, in one round trip.

use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use super::{feed, keys};
use crate::commands::{Changes, Held, RowUpdate, TableChanges, Update, Work};
use crate::postgres::connection::Transaction;
use crate::postgres::error::Outcome;
use crate::postgres::pipeline::all;
use crate::postgres::{audit_log, due_job, raw_rows};
use crate::schema::texts::MAKE_JOBS_DUE;
use crate::schema::{Dialect, Hold, Lock, OnConflict, Query, Row, UpdateShape};

pub(super) async fn changes(database: &Transaction, tenant: &str, changes: &Changes) -> Outcome<()> {
    let Changes { tables, removed_ranges, responses, key_uses, all_due_at, due_jobs, audit, .. } = changes;
    let mut work: Statements<'_> = Vec::new();
    for changed in changes.by_reference() {
        work.extend(inserts(database, tenant, changed)?);
    }
    for changed in tables {
        work.extend(updates(database, tenant, changed)?);
    }
    work.extend(removed_ranges.iter().map(|range| remove_range(database, tenant, range).boxed()));
    work.push(feed::append(database, tenant, changes).boxed());
    work.push(keys::keep_all(database, tenant, responses).boxed());
    work.push(keys::touch_all(database, tenant, key_uses).boxed());
    all(work).await?;
    if let Some(at) = all_due_at {
        let due = MAKE_JOBS_DUE.write(Dialect::Postgres);
        database.execute(due, &[&tenant, &at.as_micros()]).await?;
    }
    for (job, at) in due_jobs {
        due_job::schedule(database, tenant, job, *at).await?;
    }
    // Other transactions may wait for the log.
    audit_log::append(database, tenant, audit).await
}

type Statements<'c> = Vec<BoxFuture<'c, Outcome<()>>>;

/// The statements for new rows of one type.
fn inserts<'c>(
    database: &'c Transaction,
    tenant: &'c str,
    changed: &'c TableChanges,
) -> Outcome<Statements<'c>> {
    let TableChanges { kind, inserted, overwritten, .. } = changed;
    let mut work: Statements<'c> = Vec::new();
    for (rows, on_conflict) in [(inserted, OnConflict::Fail), (overwritten, OnConflict::Replace)] {
        if !rows.is_empty() {
            raw_rows::check_texts(kind.table, &kind.columns, rows)?;
            let insert = kind.statement(Dialect::Postgres, Work::Insert(on_conflict));
            work.push(async move { database.write_all(&insert, tenant, rows).await }.boxed());
        }
    }
    Ok(work)
}

/// The statements for the other changed rows of one type. A row that does not change was changed by a faster writer.
fn updates<'c>(
    database: &'c Transaction,
    tenant: &'c str,
    changed: &'c TableChanges,
) -> Outcome<Statements<'c>> {
    let TableChanges { kind, updated, removed, .. } = changed;
    let mut work: Statements<'c> = Vec::new();
    let read: Vec<&[_]> =
        updated.iter().filter(|row| row.held == Held::No).map(|row| kind.key_of(&row.after)).collect();
    if read.len() > 1 && kind.table.lock != Lock::NamedRows {
        // Two writers that change the same rows wait for each other only in one direction.
        let hold = kind.statement(Dialect::Postgres, Work::Find(Some(Hold::Waiting)));
        let keys: Vec<Row> = read.into_iter().map(<[_]>::to_vec).collect();
        work.push(async move { database.rows_of(&hold, tenant, &keys).await.map(drop) }.boxed());
    }
    for (shape, rows) in by_shape(changed, updated) {
        raw_rows::check_values(kind.table, &rows)?;
        let update = kind.statement(Dialect::Postgres, Work::Update(shape));
        work.push(async move { database.write_all(&update, tenant, &rows).await }.boxed());
    }
    if !removed.is_empty() {
        let delete = kind.statement(Dialect::Postgres, Work::Delete);
        work.push(async move { database.write(&delete, tenant, removed).await.map(drop) }.boxed());
    }
    Ok(work)
}

/// The updates that one statement makes, with the values of each row.
fn by_shape(changed: &TableChanges, updated: &[RowUpdate]) -> Vec<(UpdateShape, Vec<Row>)> {
    let columns = changed.changed_columns();
    let mut shapes: Vec<(UpdateShape, Vec<Row>)> = Vec::new();
    for row in updated {
        let Update { shape, values } = changed.update(row, &columns);
        match shapes.iter_mut().find(|(known, _)| *known == shape) {
            Some((_, rows)) => rows.push(values),
            None => shapes.push((shape, vec![values])),
        }
    }
    shapes
}

async fn remove_range(database: &Transaction, tenant: &str, range: &Query) -> Outcome<()> {
    let values = raw_rows::values(range);
    database.execute(&range.delete(Dialect::Postgres), &raw_rows::params(&tenant, &values)).await.map(drop)
}
