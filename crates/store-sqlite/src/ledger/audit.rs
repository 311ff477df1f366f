//! The facts of an audit, in one pass over three tables that are sorted alike.

use pointbook_app::ports::AuditBatch;
use pointbook_domain::UserId;
use pointbook_domain::audit::AuditFact;
use rusqlite::{Connection, Row};
use tokio::sync::mpsc;

use crate::error::Outcome;
use crate::row::{Record, count, day, timestamp};

/// Facts per batch.
const FACTS_PER_BATCH: usize = 1_000;

/// Which table a fact is from, in the order of an audit.
const USER: i64 = 0;
const DAY: i64 = 1;

/// Sends every fact; ends early when nobody listens any more. To be called inside a read
/// transaction, on a thread that may wait.
pub(super) fn send_all(database: &Connection, tenant: &str, facts: &mpsc::Sender<AuditBatch>) -> Outcome<()> {
    // The database merges the three as it reads them, because each is sorted by user already.
    let mut select = database.prepare_cached(
        "SELECT id AS user_id, 0 AS part, 0 AS at, balance AS first, day_count AS second
             FROM users WHERE tenant_id = ?1
         UNION ALL SELECT user_id, 1, day, transaction_count, 0 FROM history_days WHERE tenant_id = ?1
         UNION ALL SELECT user_id, 2, created_at, points, bonus_points FROM transactions WHERE tenant_id = ?1
         ORDER BY user_id, part, at",
    )?;
    let mut rows = select.query([tenant])?;
    let mut batch = AuditBatch::with_capacity(FACTS_PER_BATCH);
    while let Some(row) = rows.next()? {
        batch.push(read(row)?);
        if batch.len() == FACTS_PER_BATCH {
            let full = std::mem::replace(&mut batch, AuditBatch::with_capacity(FACTS_PER_BATCH));
            if facts.blocking_send(full).is_err() {
                return Ok(());
            }
        }
    }
    if !batch.is_empty() {
        // A receiver that is gone has what it wanted.
        facts.blocking_send(batch).unwrap_or_default();
    }
    Ok(())
}

fn read(row: &Row<'_>) -> Outcome<(UserId, AuditFact)> {
    let record = Record::new("users, history_days or transactions", 3, row);
    let user = record.read(0, |id: Box<str>| UserId::new(id))?;
    let fact = match record.get(1)? {
        USER => AuditFact::User { balance: record.get(3)?, day_count: record.read(4, count)? },
        DAY => AuditFact::Day { day: record.read(2, day)?, transaction_count: record.read(3, count)? },
        _ => AuditFact::Transaction {
            created_at: record.read(2, timestamp)?,
            points: record.get(3)?,
            bonus_points: record.get(4)?,
        },
    };
    Ok((user, fact))
}
