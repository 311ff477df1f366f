//! Access tokens.

mod lists;

use async_trait::async_trait;
use pointbook_app::StoreResult;
use pointbook_app::commands::Lane;
use pointbook_app::ports::{Execution, FoundToken, InsertTokenOutcome, Once, TokenFilter, TokenStore};
use pointbook_domain::{Timestamp, TokenHash, TokenKind, TokenLabel, TokenRecord, UserId};
use tokio_postgres::Row;

use crate::connection::{Connection, Transaction};
use crate::error::Outcome;
use crate::once;
use crate::row::{self, Record, timestamp};
use crate::scoped::IntoScoped;
use crate::store::PostgresTenant;
use crate::users;

#[async_trait]
impl TokenStore for PostgresTenant {
    async fn insert_token_once(
        &self,
        token: &TokenRecord,
        once: Option<Once<InsertTokenOutcome>>,
    ) -> StoreResult<Execution<InsertTokenOutcome>> {
        let once = once.as_ref();
        self.access
            .write("insert_token", |database| {
                once::execute(database, &self.id, once, insert(database, &self.id, token)).scoped()
            })
            .await
    }

    async fn find_token(&self, hash: &TokenHash) -> StoreResult<Option<FoundToken>> {
        self.access.read_short("find_token", |database| find(database, &self.id, hash).scoped()).await
    }

    async fn revoke_token(&self, hash: &TokenHash, at: Timestamp) -> StoreResult<bool> {
        // Customers who log out wait for themselves, not for the imports of their back office.
        let lane = match self.find_token(hash).await?.map(|found| found.record.kind) {
            Some(TokenKind::Customer(user)) => Lane::User(user),
            Some(TokenKind::SuperUser) | None => Lane::BackOffice,
        };
        self.access
            .write_in(lane, "revoke_token", |database| revoke(database, &self.id, hash, at).scoped())
            .await
    }

    async fn tokens_after(
        &self,
        filter: &TokenFilter,
        after: Option<&TokenHash>,
        limit: u32,
    ) -> StoreResult<Vec<TokenRecord>> {
        self.access
            .read("tokens_after", |database| lists::page(database, &self.id, filter, after, limit).scoped())
            .await
    }

    async fn revoke_tokens_of(&self, owner: &TokenKind, at: Timestamp) -> StoreResult<Vec<TokenHash>> {
        self.access
            .write("revoke_tokens_of", |database| revoke_all(database, &self.id, owner, at).scoped())
            .await
    }

    async fn remove_ended_tokens(&self, ended_before: Timestamp, limit: u32) -> StoreResult<u32> {
        self.access
            .write("remove_ended_tokens", |database| {
                lists::remove_ended(database, &self.id, ended_before, limit).scoped()
            })
            .await
    }
}

const CUSTOMER: &str = "customer";
const SUPER_USER: &str = "super_user";

async fn insert(database: &Transaction, tenant: &str, token: &TokenRecord) -> Outcome<InsertTokenOutcome> {
    let TokenRecord { hash, kind, created_at, expires_at, revoked_at, label } = token;
    let (kind, user) = match kind {
        TokenKind::Customer(user) => {
            match is_disabled(database, tenant, user).await? {
                Some(true) => return Ok(InsertTokenOutcome::UserDisabled),
                Some(false) => {}
                None => users::insert_unknown(database, tenant, user, *created_at).await?,
            }
            (CUSTOMER, Some(user.as_str()))
        }
        TokenKind::SuperUser => (SUPER_USER, None),
    };
    database
        .execute(
            "INSERT INTO tokens (tenant_id, hash, kind, user_id, created_at, expires_at, revoked_at, label)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
             ON CONFLICT (tenant_id, hash) DO UPDATE SET kind = excluded.kind, user_id = excluded.user_id,
                 created_at = excluded.created_at, expires_at = excluded.expires_at,
                 revoked_at = excluded.revoked_at, label = excluded.label",
            &[
                &tenant,
                &hash.0.as_slice(),
                &kind,
                &user,
                &created_at.as_micros(),
                &expires_at.map(Timestamp::as_micros),
                &revoked_at.map(Timestamp::as_micros),
                &label.as_ref().map(TokenLabel::as_str),
            ],
        )
        .await?;
    Ok(InsertTokenOutcome::Stored)
}

/// Whether the user is shut out; none when the user is unknown. The row is held, so that whoever shuts
/// the user out meanwhile waits, and then finds this token among those to be revoked.
async fn is_disabled(database: &Transaction, tenant: &str, user: &UserId) -> Outcome<Option<bool>> {
    let row = database
        .row(
            "SELECT id, disabled_at FROM users WHERE tenant_id = $1 AND id = $2 FOR SHARE",
            &[&tenant, &user.as_str()],
        )
        .await?;
    let Some(row) = &row else { return Ok(None) };
    Ok(Some(Record::new("users", 1, row).read_optional(1, timestamp)?.is_some()))
}

async fn find(database: &Connection, tenant: &str, hash: &TokenHash) -> Outcome<Option<FoundToken>> {
    let row = database
        .row(
            "SELECT tokens.user_id, tokens.kind, tokens.created_at, tokens.expires_at, tokens.revoked_at,
                 tokens.label, users.disabled_at
             FROM tokens LEFT JOIN users ON users.tenant_id = tokens.tenant_id AND users.id = tokens.user_id
             WHERE tokens.tenant_id = $1 AND tokens.hash = $2",
            &[&tenant, &hash.0.as_slice()],
        )
        .await?;
    let Some(row) = row else { return Ok(None) };
    let user_disabled = Record::new("tokens", 1, &row).read_optional(6, timestamp)?.is_some();
    Ok(Some(FoundToken { record: read(&row, *hash)?, user_disabled }))
}

/// The key in a report is the user: a hash is as good as a password to whoever reads the log.
fn read(row: &Row, hash: TokenHash) -> Outcome<TokenRecord> {
    let record = Record::new("tokens", 1, row);
    let user = record.read_optional(0, |id: &str| UserId::new(id))?;
    let kind = record.parse(1, |kind| match (kind, user) {
        (CUSTOMER, Some(user)) => Ok(TokenKind::Customer(user)),
        (SUPER_USER, None) => Ok(TokenKind::SuperUser),
        _ => Err("does not go with the user"),
    })?;
    let created_at = record.read(2, timestamp)?;
    let expires_at = record.read_optional(3, timestamp)?;
    let revoked_at = record.read_optional(4, timestamp)?;
    let label = record.read_optional(5, |label: &str| TokenLabel::new(label))?;
    Ok(TokenRecord { hash, kind, created_at, expires_at, revoked_at, label })
}

async fn revoke(database: &Transaction, tenant: &str, hash: &TokenHash, at: Timestamp) -> Outcome<bool> {
    let sql = "UPDATE tokens SET revoked_at = $3 WHERE tenant_id = $1 AND hash = $2 AND revoked_at IS NULL";
    Ok(database.execute(sql, &[&tenant, &hash.0.as_slice(), &at.as_micros()]).await? == 1)
}

async fn revoke_all(
    database: &Transaction,
    tenant: &str,
    owner: &TokenKind,
    at: Timestamp,
) -> Outcome<Vec<TokenHash>> {
    let rows = match owner {
        TokenKind::Customer(user) => {
            let update = "UPDATE tokens SET revoked_at = $3
                          WHERE tenant_id = $1 AND user_id = $2 AND revoked_at IS NULL
                          RETURNING user_id, hash, expires_at";
            database.rows(update, &[&tenant, &user.as_str(), &at.as_micros()]).await?
        }
        TokenKind::SuperUser => {
            let update = "UPDATE tokens SET revoked_at = $2
                          WHERE tenant_id = $1 AND user_id IS NULL AND revoked_at IS NULL
                          RETURNING user_id, hash, expires_at";
            database.rows(update, &[&tenant, &at.as_micros()]).await?
        }
    };
    let mut were_good = Vec::new();
    for row in &rows {
        let record = Record::new("tokens", 1, row);
        let hash = TokenHash(record.read(1, row::hash)?);
        if record.read_optional(2, timestamp)?.is_none_or(|end| at < end) {
            were_good.push(hash);
        }
    }
    were_good.sort_unstable_by_key(|hash| hash.0);
    Ok(were_good)
}
