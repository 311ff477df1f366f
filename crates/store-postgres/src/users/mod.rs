//! Users.

mod put;
mod read;
mod upsert;

use async_trait::async_trait;
use pointbook_app::StoreResult;
use pointbook_app::ports::{PageOf, PutUser, UpsertOutcome, UserChange, UserFilter, UserProfile, UserStore};
use pointbook_domain::ledger::CHAIN_START;
use pointbook_domain::{PageRequest, Timestamp, User, UserId};

use crate::connection::Transaction;
use crate::error::{Outcome, StoreFailure};
use crate::scoped::IntoScoped;
use crate::store::PostgresTenant;

#[async_trait]
impl UserStore for PostgresTenant {
    async fn upsert_users(
        &self,
        profiles: &[UserProfile],
        now: Timestamp,
    ) -> StoreResult<Vec<UpsertOutcome>> {
        self.access
            .write("upsert_users", |database| upsert::profiles(database, &self.id, profiles, now).scoped())
            .await
    }

    async fn put_user(&self, change: &UserChange, now: Timestamp) -> StoreResult<PutUser> {
        self.access.write("put_user", |database| put::user(database, &self.id, change, now).scoped()).await
    }

    async fn user(&self, id: &UserId) -> StoreResult<Option<User>> {
        self.access.read_short("user", |database| read::user(database, &self.id, id).scoped()).await
    }

    async fn users(&self, filter: &UserFilter, page: PageRequest) -> StoreResult<PageOf<User>> {
        self.access
            .read_snapshot("users", |database| read::page(database, &self.id, filter, page).scoped())
            .await
    }

    async fn users_after(&self, after: Option<&UserId>, limit: u32) -> StoreResult<Vec<User>> {
        self.access
            .read("users_after", |database| read::after(database, &self.id, after, limit).scoped())
            .await
    }
}

/// Creates a user without a profile, who was looked for and not found.
pub(crate) async fn insert_unknown(
    database: &Transaction,
    tenant: &str,
    id: &UserId,
    now: Timestamp,
) -> Outcome<()> {
    let inserted = database
        .execute(
            "INSERT INTO users (tenant_id, id, balance, day_count, last_seq, last_hash, created_at)
             VALUES ($1, $2, 0, 0, 0, $3, $4) ON CONFLICT (tenant_id, id) DO NOTHING",
            &[&tenant, &id.as_str(), &CHAIN_START.as_slice(), &now.as_micros()],
        )
        .await?;
    if inserted == 1 { Ok(()) } else { Err(StoreFailure::Overtaken) }
}
