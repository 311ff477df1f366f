//! Rows of the ledger that commands ask for and add, and the days that they fall on.

use pointbook_app::commands::{DayCount, EntryKey, Facts, NewEntry, StoredEntry};
use pointbook_domain::{Day, Transaction as Recorded, UserId};
use pointbook_schema::rows::NewLedgerRow;
use pointbook_schema::{Dialect, Group, OnConflict, Statement, sql, statement};
use tokio_postgres::Row;

use super::hold::Hold;
use crate::connection::Transaction;
use crate::error::{Outcome, StoreFailure};
use crate::row;

/// Looks for all of it by keys, however many rows there are: each inner statement has a bound, so that no
/// planner makes one pass over a table of them.
fn see() -> String {
    format!(
        "SELECT given.user_id, standing.seq, {standing}, begun.day, known.last_seq
    FROM unnest($2::text[], $3::text[], $4::text[], $5::integer[]) AS given (user_id, type, source_id, day)
    CROSS JOIN LATERAL (
        SELECT last_seq FROM users WHERE tenant_id = $1 AND id = given.user_id LIMIT 1
    ) AS known
    LEFT JOIN LATERAL (
        SELECT history_days.day FROM history_days
        WHERE tenant_id = $1 AND user_id = given.user_id AND history_days.day = given.day LIMIT 1
    ) AS begun ON TRUE
    LEFT JOIN LATERAL (
        SELECT seq, {transaction} FROM transactions
        WHERE tenant_id = $1 AND user_id = given.user_id AND transactions.type = given.type
            AND transactions.source_id = given.source_id LIMIT 1
    ) AS standing ON TRUE",
        standing = Recorded::names_of("standing"),
        transaction = Recorded::names_of("transactions"),
    )
}

/// The user, the row under the key, the day if it has rows, and the user's newest `seq`.
type Seen = (UserId, Option<(u64, Recorded)>, Option<Day>, u64);

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
    database.rows(sql!(see()), &[&tenant, &users, &types, &sources, &days]).await
}

/// Puts the rows of [`find`] among the facts. They are of the moment of the accounts, which were held first and are
/// among the facts by now; a writer that does not hold accounts is noticed here.
pub(super) fn put(rows: &[Row], hold: Hold, facts: &mut Facts) -> Outcome<()> {
    for row in rows {
        let (user, entry, day, last_seq): Seen = row::read_as(("transactions", 2), row)?;
        match facts.account(&user) {
            Some(account) if account.last_seq == last_seq => {}
            // Another transaction holds the user.
            None if hold == Hold::Skipping => continue,
            Some(_) | None => return Err(StoreFailure::Overtaken),
        }
        if let Some((seq, transaction)) = entry {
            let key = EntryKey::of(&user, &transaction.activity);
            facts.put_entry(key, Some(StoredEntry { seq, transaction: transaction.into() }));
        }
        if let Some(day) = day {
            facts.put_day(&user, day, true);
        }
    }
    Ok(())
}

/// Adds rows. One whose business key stands in the ledger by now fails, and all begins again.
pub(super) async fn insert(database: &Transaction, tenant: &str, entries: &[NewEntry]) -> Outcome<()> {
    let rows: Vec<_> = entries.iter().map(NewLedgerRow::from).collect();
    let insert = statement!(Statement::insert::<NewLedgerRow<'_>>(Dialect::Postgres, OnConflict::Fail));
    database.write_all(insert, tenant, &rows).await
}

/// Begins days, and adds to those that there are.
pub(super) async fn add_to_days(database: &Transaction, tenant: &str, days: &[DayCount]) -> Outcome<()> {
    let upsert = statement!(Statement::of_arrays::<(&UserId, Day, u32)>(
        "INSERT INTO history_days (tenant_id, user_id, day, transaction_count)
         SELECT $1, user_id, day, added FROM unnest({arrays}) AS given (user_id, day, added)
         ON CONFLICT (tenant_id, user_id, day)
         DO UPDATE SET transaction_count = history_days.transaction_count + excluded.transaction_count"
    ));
    let rows: Vec<_> = days.iter().map(|DayCount { user_id, day, added }| (user_id, *day, *added)).collect();
    database.write_all(upsert, tenant, &rows).await
}
