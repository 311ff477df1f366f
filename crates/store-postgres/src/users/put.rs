//! Changing one user, field by field.

use pointbook_app::ports::{PutUser, UpsertOutcome, UserChange};
use pointbook_domain::{Day, Locale, Timestamp, User};

use super::{insert_unknown, read};
use crate::connection::Transaction;
use crate::error::Outcome;
use crate::row::missing;

/// Creates the user when unknown, then changes what the change names.
pub(super) async fn user(
    database: &Transaction,
    tenant: &str,
    change: &UserChange,
    now: Timestamp,
) -> Outcome<PutUser> {
    let known = read::held(database, tenant, &change.id).await?;
    let is_new = known.is_none();
    let before = if let Some(user) = known {
        user
    } else {
        insert_unknown(database, tenant, &change.id, now).await?;
        let created = read::user(database, tenant, &change.id).await?;
        created.ok_or_else(|| missing("users", change.id.as_str()))?
    };
    let user = change.applied_to(&before, now);
    if user != before {
        write(database, tenant, &user).await?;
    }
    let outcome = match (is_new, user == before) {
        (true, _) => UpsertOutcome::Created,
        (false, true) => UpsertOutcome::Unchanged,
        (false, false) => UpsertOutcome::Replaced,
    };
    Ok(PutUser { user, outcome })
}

async fn write(database: &Transaction, tenant: &str, user: &User) -> Outcome<()> {
    let User { id, balance: _, birth_date, locale, disabled_at, created_at: _ } = user;
    let updated = database
        .execute(
            "UPDATE users SET birth_date = $3, locale = $4, disabled_at = $5 WHERE tenant_id = $1 AND id = $2",
            &[
                &tenant,
                &id.as_str(),
                &birth_date.map(Day::as_days),
                &locale.as_ref().map(Locale::as_str),
                &disabled_at.map(Timestamp::as_micros),
            ],
        )
        .await?;
    if updated == 1 { Ok(()) } else { Err(missing("users", id.as_str())) }
}
