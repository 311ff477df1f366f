//! Reading the ledger in the order of recording.

use pointbook_app::ports::LedgerEntry;
use pointbook_domain::{Points, UserId};
use tokio_postgres::Row;

use super::transaction_row;
use crate::connection::Connection;
use crate::error::Outcome;
use crate::row::{Record, count, hash, timestamp};

pub(super) async fn after(
    database: &Connection,
    tenant: &str,
    user: &str,
    seq: u64,
    limit: u32,
) -> Outcome<Vec<LedgerEntry>> {
    let sql =
        "SELECT user_id, seq, id, created_at, type, source_id, points, bonus_breakdown, title, subtitle,
                   balance_after, recorded_at, hash
               FROM transactions WHERE tenant_id = $1 AND (user_id, seq) > ($2, $3)
               ORDER BY user_id, seq LIMIT $4";
    // No stored row is beyond what is stored as a signed number.
    let seq = i64::try_from(seq).unwrap_or(i64::MAX);
    let rows = database.rows(sql, &[&tenant, &user, &seq, &i64::from(limit)]).await?;
    rows.iter().map(read).collect()
}

fn read(row: &Row) -> Outcome<LedgerEntry> {
    let record = Record::new("transactions", 2, row);
    Ok(LedgerEntry {
        user_id: record.read(0, |id: &str| UserId::new(id))?,
        seq: record.read(1, count)?,
        transaction: transaction_row::read(&record, 2)?,
        balance_after: record.read(10, Points::new)?,
        recorded_at: record.read(11, timestamp)?,
        hash: record.read(12, hash)?,
    })
}
