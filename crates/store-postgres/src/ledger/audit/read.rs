//! From rows to facts. What a row should not hold is a fact as well: an audit that ended at the first
//! bad row would name no other.

use pointbook_domain::audit::{AuditFact, RowContent, StoredRow, StoredUser, UnreadableRow};
use pointbook_domain::ledger::ChainHash;
use pointbook_domain::{OrderId, Points, ProductId, UserId};
use tokio_postgres::Row;

use super::OwnedFact;
use crate::error::{Outcome, StoreFailure};
use crate::ledger::transaction_row;
use crate::orders::order_row;
use crate::row::{self, Record, hash, timestamp};

/// Stands for a hash of another length: no row comes to it.
const NO_HASH: ChainHash = [0xff; 32];

pub(super) fn user(row: &Row) -> Outcome<OwnedFact> {
    let record = Record::new("users", 1, row);
    let user = StoredUser {
        balance: record.get(1)?,
        day_count: record.get(2)?,
        last_seq: record.get(3)?,
        last_hash: record.read(4, hash).unwrap_or(NO_HASH),
    };
    Ok((user_id(&record, 0)?, AuditFact::User(user)))
}

pub(super) fn day(row: &Row) -> Outcome<OwnedFact> {
    let record = Record::new("history_days", 1, row);
    let fact = match unless_corrupt(record.read(1, row::day))? {
        Ok(day) => AuditFact::Day { day, transaction_count: record.get(2)? },
        Err(what) => AuditFact::Unreadable(what),
    };
    Ok((user_id(&record, 0)?, fact))
}

pub(super) fn order(row: &Row) -> Outcome<OwnedFact> {
    let fact = match unless_corrupt(order_row::read(row))? {
        Ok(order) => AuditFact::Order(Box::new(order)),
        Err(what) => AuditFact::Unreadable(what),
    };
    Ok((user_id(&Record::new("orders", 1, row), 2)?, fact))
}

pub(super) fn order_without_product(row: &Row) -> Outcome<OwnedFact> {
    let record = Record::new("orders", 1, row);
    let ids = record
        .read(0, |id: &str| OrderId::new(id))
        .and_then(|order| Ok((order, record.read(1, |id: &str| ProductId::new(id))?)));
    let fact = match unless_corrupt(ids)? {
        Ok((order, product)) => AuditFact::ProductMissing { order, product },
        Err(what) => AuditFact::Unreadable(what),
    };
    Ok((user_id(&record, 2)?, fact))
}

pub(super) fn transaction(row: &Row) -> Outcome<OwnedFact> {
    let record = Record::new("transactions", 2, row);
    let content = match unless_corrupt(content(&record))? {
        Ok(content) => Ok(content),
        Err(why) => Err(as_stored(&record, why)?),
    };
    let hash = record.read(12, hash).unwrap_or(NO_HASH);
    let row = StoredRow { seq: record.get(1)?, hash, bonus_points: record.get(13)?, content };
    Ok((user_id(&record, 0)?, AuditFact::Row(Box::new(row))))
}

fn content(record: &Record<'_>) -> Outcome<RowContent> {
    Ok(RowContent {
        transaction: transaction_row::read(record, 2)?,
        balance_after: record.read(10, Points::new)?,
        recorded_at: record.read(11, timestamp)?,
    })
}

/// The columns as they are.
fn as_stored(record: &Record<'_>, why: String) -> Outcome<UnreadableRow> {
    Ok(UnreadableRow {
        id: record.get(2)?,
        created_at: record.get(3)?,
        kind: record.get(4)?,
        source_id: record.get(5)?,
        points: record.get(6)?,
        balance_after: record.get(10)?,
        why,
    })
}

fn user_id(record: &Record<'_>, column: usize) -> Outcome<UserId> {
    record.read(column, |id: &str| UserId::new(id))
}

/// What is corrupt, in words, instead of a failure.
fn unless_corrupt<T>(read: Outcome<T>) -> Outcome<Result<T, String>> {
    match read {
        Ok(value) => Ok(Ok(value)),
        Err(StoreFailure::Corrupt(what)) => Ok(Err(what)),
        Err(failure) => Err(failure),
    }
}
