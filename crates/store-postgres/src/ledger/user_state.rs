//! What a user's row says of the user's history.

use pointbook_app::recording::{GrowingHistory, UserState};
use pointbook_domain::{Points, UserId};

use crate::connection::Transaction;
use crate::error::{Outcome, StoreFailure};
use crate::row::{Record, count, hash};

/// Reads the state, which nobody else changes before this transaction ends; none when the user is unknown.
pub(super) async fn hold(database: &Transaction, tenant: &str, user: &UserId) -> Outcome<Option<UserState>> {
    let row = database
        .row(
            "SELECT id, balance, day_count, last_seq, last_hash FROM users
             WHERE tenant_id = $1 AND id = $2 FOR UPDATE",
            &[&tenant, &user.as_str()],
        )
        .await?;
    let Some(row) = &row else { return Ok(None) };
    let record = Record::new("users", 1, row);
    Ok(Some(UserState {
        balance: record.read(1, Points::new)?,
        day_count: record.read(2, count)?,
        last_seq: record.read(3, count)?,
        last_hash: record.read(4, hash)?,
    }))
}

/// Writes the state over the one that it follows, and no other: whoever recorded in between took the
/// next `seq`. The balance is in the guard as well, against writes that are none of the service's.
pub(super) async fn store(
    database: &Transaction,
    tenant: &str,
    history: &GrowingHistory<'_>,
    new_days: u64,
) -> Outcome<()> {
    let UserState { balance, day_count, last_seq, last_hash } = history.state_with_days(new_days);
    let before = history.before();
    let updated = database
        .execute(
            "UPDATE users SET balance = $3, day_count = $4, last_seq = $5, last_hash = $6
             WHERE tenant_id = $1 AND id = $2 AND last_seq = $7 AND balance = $8",
            &[
                &tenant,
                &history.user_id().as_str(),
                &balance.get(),
                &day_count.cast_signed(),
                &last_seq.cast_signed(),
                &last_hash.as_slice(),
                &before.last_seq.cast_signed(),
                &before.balance.get(),
            ],
        )
        .await?;
    if updated == 1 { Ok(()) } else { Err(StoreFailure::Overtaken) }
}
