//! Users.

mod put;
mod read;
mod upsert;

use async_trait::async_trait;
use pointbook_app::StoreResult;
use pointbook_app::ports::{PageOf, PutUser, UpsertOutcome, UserChange, UserFilter, UserProfile, UserStore};
use pointbook_domain::ledger::CHAIN_START;
use pointbook_domain::{PageRequest, Timestamp, User, UserId};
use rusqlite::{Transaction, params};

use crate::error::Outcome;
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
                profiles.iter().map(|profile| upsert::profile(database, &tenant, profile, now)).collect()
            })
            .await
    }

    async fn put_user(&self, change: &UserChange, now: Timestamp) -> StoreResult<PutUser> {
        let (tenant, change) = (self.id.clone(), change.clone());
        self.access
            .write("put_user", Lane::tenant(&self.id), move |database| {
                put::user(database, &tenant, &change, now)
            })
            .await
    }

    async fn user(&self, id: &UserId) -> StoreResult<Option<User>> {
        self.access.read("user", |database| read::user(database, &self.id, id))
    }

    async fn users(&self, filter: &UserFilter, page: PageRequest) -> StoreResult<PageOf<User>> {
        let (tenant, filter) = (self.id.clone(), filter.clone());
        self.access
            .read_long("users", &self.id, move |database| read::page(database, &tenant, &filter, page))
            .await
    }

    async fn users_after(&self, after: Option<&UserId>, limit: u32) -> StoreResult<Vec<User>> {
        let (tenant, after) = (self.id.clone(), after.cloned());
        self.access
            .read_in_background("users_after", Some(&self.id), move |database| {
                read::after(database, &tenant, after.as_ref(), limit)
            })
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
