//! Users.

use async_trait::async_trait;
use pointbook_app::StoreResult;
use pointbook_app::ports::{UpsertOutcome, UserProfile, UserStore};
use pointbook_domain::ledger::CHAIN_START;
use pointbook_domain::{Day, Locale, Points, Timestamp, User, UserId};
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};

use crate::error::Outcome;
use crate::row::{Record, day, timestamp};
use crate::store::SqliteTenant;
use crate::writer::Lane;

#[async_trait]
impl UserStore for SqliteTenant {
    async fn upsert_users(
        &self,
        profiles: &[UserProfile],
        now: Timestamp,
    ) -> StoreResult<Vec<UpsertOutcome>> {
        let (tenant, profiles) = (self.id.clone(), profiles.to_vec());
        self.access
            .write("upsert_users", Lane::tenant(&self.id), move |database| {
                profiles.iter().map(|profile| upsert(database, &tenant, profile, now)).collect()
            })
            .await
    }

    async fn users_after(&self, after: Option<&UserId>, limit: u32) -> StoreResult<Vec<User>> {
        let (tenant, after) = (self.id.clone(), after.cloned());
        self.access
            .read_long("users_after", move |database| select_after(database, &tenant, after.as_ref(), limit))
            .await
    }
}

/// Creates a user without a profile; does nothing when the user is known.
pub(crate) fn insert_unknown(
    database: &Transaction<'_>,
    tenant: &str,
    id: &UserId,
    now: Timestamp,
) -> Outcome<()> {
    let mut insert = database.prepare_cached(
        "INSERT INTO users (tenant_id, id, balance, day_count, last_seq, last_hash, created_at)
         VALUES (?1, ?2, 0, 0, 0, ?3, ?4) ON CONFLICT (tenant_id, id) DO NOTHING",
    )?;
    insert.execute(params![tenant, id.as_str(), CHAIN_START, now.as_micros()])?;
    Ok(())
}

fn upsert(
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

fn select_after(
    database: &Connection,
    tenant: &str,
    after: Option<&UserId>,
    limit: u32,
) -> Outcome<Vec<User>> {
    let mut select = database.prepare_cached(
        "SELECT id, balance, birth_date, locale, disabled_at, created_at
         FROM users WHERE tenant_id = ?1 AND id > ?2 ORDER BY id LIMIT ?3",
    )?;
    let mut rows = select.query(params![tenant, after.map_or("", UserId::as_str), limit])?;
    let mut users = Vec::new();
    while let Some(row) = rows.next()? {
        users.push(read(row)?);
    }
    Ok(users)
}

fn read(row: &Row<'_>) -> Outcome<User> {
    let record = Record::new("users", 1, row);
    Ok(User {
        id: record.read(0, |id: Box<str>| UserId::new(id))?,
        balance: record.read(1, Points::new)?,
        birth_date: record.read_optional(2, day)?,
        locale: record.read_optional(3, |tag: String| Locale::new(&tag))?,
        disabled_at: record.read_optional(4, timestamp)?,
        created_at: record.read(5, timestamp)?,
    })
}
