//! A transaction and its columns.

use pointbook_app::recording::{NextRow, StoredTransaction};
use pointbook_app::stored_bonuses::{bonuses_from_json, bonuses_to_json};
use pointbook_domain::ledger::LedgerRow;
use pointbook_domain::{Activity, ActivityType, Points, SourceId, Transaction, TransactionId, UserId};

use crate::connection;
use crate::error::Outcome;
use crate::row::{Record, count, timestamp};

/// Reads the columns `id`, `created_at`, `type`, `source_id`, `points`, `bonus_breakdown`, `title` and
/// `subtitle`, which stand in this order from column `first` on.
pub(super) fn read(record: &Record<'_>, first: usize) -> Outcome<Transaction> {
    Ok(Transaction {
        id: record.read(first, |id: &str| TransactionId::new(id))?,
        activity: Activity {
            created_at: record.read(first + 1, timestamp)?,
            kind: record.parse(first + 2, ActivityType::new)?,
            source_id: record.read(first + 3, |id: &str| SourceId::new(id))?,
            points: record.read(first + 4, Points::new)?,
            bonuses: record.parse(first + 5, bonuses_from_json)?,
            title: record.get(first + 6)?,
            subtitle: record.get(first + 7)?,
        },
    })
}

/// The row with the business key of this activity.
pub(super) async fn find(
    database: &connection::Transaction,
    tenant: &str,
    user: &UserId,
    activity: &Activity,
) -> Outcome<Option<StoredTransaction>> {
    let row = database
        .row(
            "SELECT user_id, seq, id, created_at, type, source_id, points, bonus_breakdown, title, subtitle
             FROM transactions WHERE tenant_id = $1 AND user_id = $2 AND type = $3 AND source_id = $4",
            &[&tenant, &user.as_str(), &activity.kind.as_str(), &activity.source_id.as_str()],
        )
        .await?;
    let Some(row) = &row else { return Ok(None) };
    let record = Record::new("transactions", 2, row);
    Ok(Some(StoredTransaction { seq: record.read(1, count)?, transaction: read(&record, 2)? }))
}

/// Adds a row; false when its business key stands in the ledger already.
pub(super) async fn insert(
    database: &connection::Transaction,
    tenant: &str,
    next: &NextRow<'_>,
) -> Outcome<bool> {
    let NextRow { row, hash } = next;
    let LedgerRow { user_id, seq, transaction: Transaction { id, activity }, balance_after, recorded_at } =
        row;
    let Activity { kind, source_id, points, bonuses, title, subtitle, created_at } = activity;
    let inserted = database
        .execute(
            "INSERT INTO transactions (tenant_id, user_id, created_at, id, type, source_id, points, bonus_points,
                 bonus_breakdown, title, subtitle, recorded_at, seq, balance_after, hash)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
             ON CONFLICT (tenant_id, user_id, type, source_id) DO NOTHING",
            &[
                &tenant,
                &user_id.as_str(),
                &created_at.as_micros(),
                &id.as_str(),
                &kind.as_str(),
                &source_id.as_str(),
                &points.get(),
                &bonuses.total().get(),
                &bonuses_to_json(bonuses)?,
                title,
                subtitle,
                &recorded_at.as_micros(),
                &seq.cast_signed(),
                &balance_after.get(),
                &hash.as_slice(),
            ],
        )
        .await?;
    Ok(inserted == 1)
}
