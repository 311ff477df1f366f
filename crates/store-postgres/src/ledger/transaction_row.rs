//! Transactions and their columns.

use std::borrow::Cow;

use pointbook_app::commands::NewEntry;
use pointbook_app::stored_bonuses::{bonuses_from_json, bonuses_to_json};
use pointbook_domain::{Activity, ActivityType, Points, SourceId, Transaction, TransactionId};

use crate::connection;
use crate::error::{Outcome, StoreFailure};
use crate::row::{Record, timestamp};

/// Reads the columns `id`, `created_at`, `type`, `source_id`, `points`, `bonus_breakdown`, `title` and
/// `subtitle`, which stand in this order from column `first` on.
pub(crate) fn read(record: &Record<'_>, first: usize) -> Outcome<Transaction> {
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

/// New rows, by column.
#[derive(Default)]
pub(crate) struct RowColumns {
    users: Vec<String>,
    created_at: Vec<i64>,
    ids: Vec<String>,
    types: Vec<String>,
    sources: Vec<String>,
    points: Vec<i64>,
    bonus_points: Vec<i64>,
    bonus_breakdowns: Vec<Cow<'static, str>>,
    titles: Vec<String>,
    subtitles: Vec<String>,
    recorded_at: Vec<i64>,
    seqs: Vec<i64>,
    balances_after: Vec<i64>,
    hashes: Vec<Vec<u8>>,
}

impl RowColumns {
    pub(crate) fn of(entries: &[NewEntry]) -> Outcome<Self> {
        let mut columns = Self::default();
        entries.iter().try_for_each(|entry| columns.push(entry))?;
        Ok(columns)
    }

    fn push(&mut self, entry: &NewEntry) -> Outcome<()> {
        let NewEntry { user_id, seq, transaction, balance_after, recorded_at, hash } = entry;
        let Transaction { id, activity } = &**transaction;
        let Activity { kind, source_id, points, bonuses, title, subtitle, created_at } = activity;
        self.users.push(user_id.as_str().to_owned());
        self.created_at.push(created_at.as_micros());
        self.ids.push(id.as_str().to_owned());
        self.types.push(kind.as_str().to_owned());
        self.sources.push(source_id.as_str().to_owned());
        self.points.push(points.get());
        self.bonus_points.push(bonuses.total().get());
        self.bonus_breakdowns.push(bonuses_to_json(bonuses)?);
        self.titles.push(title.clone());
        self.subtitles.push(subtitle.clone());
        self.recorded_at.push(recorded_at.as_micros());
        self.seqs.push(seq.cast_signed());
        self.balances_after.push(balance_after.get());
        self.hashes.push(hash.to_vec());
        Ok(())
    }

    /// Adds the rows. One whose business key stands in the ledger by now fails, and all begins again.
    pub(crate) async fn insert(&self, database: &connection::Transaction, tenant: &str) -> Outcome<()> {
        if self.ids.is_empty() {
            return Ok(());
        }
        let inserted = database
            .execute(
                "INSERT INTO transactions (tenant_id, user_id, created_at, id, type, source_id, points, bonus_points,
                     bonus_breakdown, title, subtitle, recorded_at, seq, balance_after, hash)
                 SELECT $1, user_id, created_at, id, type, source_id, points, bonus_points, bonus_breakdown,
                     title, subtitle, recorded_at, seq, balance_after, hash
                 FROM unnest($2::text[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::bigint[],
                         $8::bigint[], $9::text[], $10::text[], $11::text[], $12::bigint[], $13::bigint[],
                         $14::bigint[], $15::bytea[])
                     AS given (user_id, created_at, id, type, source_id, points, bonus_points, bonus_breakdown,
                         title, subtitle, recorded_at, seq, balance_after, hash)",
                &[
                    &tenant,
                    &self.users,
                    &self.created_at,
                    &self.ids,
                    &self.types,
                    &self.sources,
                    &self.points,
                    &self.bonus_points,
                    &self.bonus_breakdowns,
                    &self.titles,
                    &self.subtitles,
                    &self.recorded_at,
                    &self.seqs,
                    &self.balances_after,
                    &self.hashes,
                ],
            )
            .await?;
        if inserted == self.ids.len() as u64 { Ok(()) } else { Err(StoreFailure::Overtaken) }
    }
}
