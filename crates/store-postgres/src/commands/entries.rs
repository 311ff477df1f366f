//! Rows of the ledger that commands ask for and add.

use pointbook_app::commands::{EntryKey, Facts, StoredEntry};
use pointbook_domain::{Day, UserId};
use tokio_postgres::Row;

use super::accounts::Hold;
use crate::connection::Transaction;
use crate::error::{Outcome, StoreFailure};
use crate::ledger::transaction_row;
use crate::row::{Record, count, day};

/// Looks for all of it by keys, however many rows there are: each inner statement has a bound, so that no
/// planner makes one pass over a table of them.
const SEE: &str = "SELECT given.user_id, standing.seq, standing.id, standing.created_at, standing.type,
        standing.source_id, standing.points, standing.bonus_breakdown, standing.title, standing.subtitle,
        begun.day, known.last_seq
    FROM unnest($2::text[], $3::text[], $4::text[], $5::integer[]) AS given (user_id, type, source_id, day)
    CROSS JOIN LATERAL (
        SELECT last_seq FROM users WHERE tenant_id = $1 AND id = given.user_id LIMIT 1
    ) AS known
    LEFT JOIN LATERAL (
        SELECT history_days.day FROM history_days
        WHERE tenant_id = $1 AND user_id = given.user_id AND history_days.day = given.day LIMIT 1
    ) AS begun ON TRUE
    LEFT JOIN LATERAL (
        SELECT seq, id, created_at, transactions.type, transactions.source_id, points, bonus_breakdown, title,
            subtitle
        FROM transactions
        WHERE tenant_id = $1 AND user_id = given.user_id AND transactions.type = given.type
            AND transactions.source_id = given.source_id LIMIT 1
    ) AS standing ON TRUE";

/// The rows under these keys, and those of the days that have rows: as of one moment.
pub(super) async fn find(
    database: &Transaction,
    tenant: &str,
    entries: &[(EntryKey, Day)],
) -> Outcome<Vec<Row>> {
    if entries.is_empty() {
        return Ok(Vec::new());
    }
    let users: Vec<&str> = entries.iter().map(|(key, _)| key.user_id.as_str()).collect();
    let types: Vec<&str> = entries.iter().map(|(key, _)| key.kind.as_str()).collect();
    let sources: Vec<&str> = entries.iter().map(|(key, _)| key.source_id.as_str()).collect();
    let days: Vec<i32> = entries.iter().map(|(_, day)| day.as_days()).collect();
    database.rows(SEE, &[&tenant, &users, &types, &sources, &days]).await
}

/// Puts the rows of [`find`] among the facts. They are of the moment of the accounts, which were held first and are
/// among the facts by now; a writer that does not hold accounts is noticed here.
pub(super) fn put(rows: &[Row], hold: Hold, facts: &mut Facts) -> Outcome<()> {
    for row in rows {
        let record = Record::new("transactions", 2, row);
        let user = record.read(0, |id: &str| UserId::new(id))?;
        let last_seq: u64 = record.read(11, count)?;
        match facts.account(&user) {
            Some(account) if account.last_seq == last_seq => {}
            // Another transaction holds the user.
            None if hold == Hold::Skipping => continue,
            Some(_) | None => return Err(StoreFailure::Overtaken),
        }
        if let Some(seq) = record.read_optional(1, count)? {
            let transaction = transaction_row::read(&record, 2)?;
            let key = EntryKey::of(&user, &transaction.activity);
            facts.put_entry(key, Some(StoredEntry { seq, transaction: transaction.into() }));
        }
        if let Some(day) = record.read_optional(10, day)? {
            facts.put_day(&user, day, true);
        }
    }
    Ok(())
}
