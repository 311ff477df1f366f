//! Profiles as a back office imports them.

use pointbook_app::ports::{UpsertOutcome, UserProfile};
use pointbook_domain::{Day, Locale, Timestamp};
use rusqlite::{OptionalExtension, Transaction, params};

use super::insert_unknown;
use crate::error::Outcome;

/// Creates a user, or replaces the profile.
pub(super) fn profile(
    database: &Transaction<'_>,
    tenant: &str,
    profile: &UserProfile,
    now: Timestamp,
) -> Outcome<UpsertOutcome> {
    let UserProfile { id, birth_date, locale } = profile;
    let given = (birth_date.map(Day::as_days), locale.as_ref().map(Locale::as_str));
    let mut select =
        database.prepare_cached("SELECT birth_date, locale FROM users WHERE tenant_id = ?1 AND id = ?2")?;
    let stored: Option<(Option<i32>, Option<String>)> =
        select.query_row([tenant, id.as_str()], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    let outcome = match stored {
        None => {
            insert_unknown(database, tenant, id, now)?;
            UpsertOutcome::Created
        }
        Some((birth_date, locale)) if (birth_date, locale.as_deref()) == given => {
            return Ok(UpsertOutcome::Unchanged);
        }
        Some(_) => UpsertOutcome::Replaced,
    };
    let mut update = database
        .prepare_cached("UPDATE users SET birth_date = ?3, locale = ?4 WHERE tenant_id = ?1 AND id = ?2")?;
    update.execute(params![tenant, id.as_str(), given.0, given.1])?;
    Ok(outcome)
}
