//! What a user's row says of the user's history.

use pointbook_app::recording::{GrowingHistory, UserState};
use pointbook_domain::{Points, UserId};
use rusqlite::{Transaction, params};

use crate::error::Outcome;
use crate::row::{Record, count, wrong};

/// Reads the state; none when the user is unknown.
pub(super) fn find(database: &Transaction<'_>, tenant: &str, user: &UserId) -> Outcome<Option<UserState>> {
    let mut select = database.prepare_cached(
        "SELECT id, balance, day_count, last_seq, last_hash FROM users WHERE tenant_id = ?1 AND id = ?2",
    )?;
    let mut rows = select.query([tenant, user.as_str()])?;
    let Some(row) = rows.next()? else { return Ok(None) };
    let record = Record::new("users", 1, row);
    Ok(Some(UserState {
        balance: record.read(1, Points::new)?,
        day_count: record.read(2, count)?,
        last_seq: record.read(3, count)?,
        last_hash: record.get(4)?,
    }))
}

/// Writes the state over the one that it follows, and no other: whoever recorded in between took the
/// next `seq`. The balance is in the guard as well, against writes that are none of the service's.
pub(super) fn store(
    database: &Transaction<'_>,
    tenant: &str,
    history: &GrowingHistory<'_>,
    new_days: u64,
) -> Outcome<()> {
    let UserState { balance, day_count, last_seq, last_hash } = history.state_with_days(new_days);
    let (user, before) = (history.user_id().as_str(), history.before());
    let mut update = database.prepare_cached(
        "UPDATE users SET balance = ?3, day_count = ?4, last_seq = ?5, last_hash = ?6
         WHERE tenant_id = ?1 AND id = ?2 AND last_seq = ?7 AND balance = ?8",
    )?;
    let updated = update.execute(params![
        tenant,
        user,
        balance.get(),
        day_count.cast_signed(),
        last_seq.cast_signed(),
        last_hash,
        before.last_seq.cast_signed(),
        before.balance.get(),
    ])?;
    if updated == 1 {
        Ok(())
    } else {
        let UserState { last_seq, balance, .. } = before;
        let what = format_args!("is no longer at transaction {last_seq} with {balance} points");
        Err(wrong("users", user, what))
    }
}
