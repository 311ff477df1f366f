//! Access tokens.

mod lists;

use async_trait::async_trait;
use pointbook_app::StoreResult;
use pointbook_app::ports::{Execution, FoundToken, InsertTokenOutcome, Once, TokenFilter, TokenStore};
use pointbook_domain::{Timestamp, TokenHash, TokenKind, TokenLabel, TokenRecord, UserId};
use rusqlite::{Connection, Row, Transaction, params};

use crate::error::Outcome;
use crate::once;
use crate::row::{Record, timestamp};
use crate::store::SqliteTenant;
use crate::users;
use crate::writer::Lane;

#[async_trait]
impl TokenStore for SqliteTenant {
    async fn insert_token_once(
        &self,
        token: &TokenRecord,
        once: Option<Once<InsertTokenOutcome>>,
    ) -> StoreResult<Execution<InsertTokenOutcome>> {
        let (tenant, token) = (self.id.clone(), token.clone());
        self.access
            .write("insert_token", Lane::tenant(&self.id), move |database| {
                once::execute(database, &tenant, once.as_ref(), || insert(database, &tenant, &token))
            })
            .await
    }

    async fn find_token(&self, hash: &TokenHash) -> StoreResult<Option<FoundToken>> {
        self.access.read("find_token", |database| find(database, &self.id, hash))
    }

    async fn revoke_token(&self, hash: &TokenHash, at: Timestamp) -> StoreResult<bool> {
        // Customers who log out wait for themselves, not for the imports of their back office.
        let lane = match self.find_token(hash).await?.map(|found| found.record.kind) {
            Some(TokenKind::Customer(user)) => Lane::user(&self.id, &user),
            Some(TokenKind::SuperUser) | None => Lane::tenant(&self.id),
        };
        let (tenant, hash) = (self.id.clone(), *hash);
        let revoke =
            "UPDATE tokens SET revoked_at = ?3 WHERE tenant_id = ?1 AND hash = ?2 AND revoked_at IS NULL";
        self.access
            .write("revoke_token", lane, move |database| {
                Ok(database.execute(revoke, params![tenant, hash.0, at.as_micros()])? == 1)
            })
            .await
    }

    async fn tokens_after(
        &self,
        filter: &TokenFilter,
        after: Option<&TokenHash>,
        limit: u32,
    ) -> StoreResult<Vec<TokenRecord>> {
        let (tenant, filter, after) = (self.id.clone(), filter.clone(), after.copied());
        self.access
            .read_in_background("tokens_after", Some(&self.id), move |database| {
                lists::page(database, &tenant, &filter, after, limit)
            })
            .await
    }

    async fn revoke_tokens_of(&self, owner: &TokenKind, at: Timestamp) -> StoreResult<Vec<TokenHash>> {
        let (tenant, owner) = (self.id.clone(), owner.clone());
        self.access
            .write("revoke_tokens_of", Lane::tenant(&self.id), move |database| {
                revoke_all(database, &tenant, &owner, at)
            })
            .await
    }

    async fn remove_ended_tokens(&self, ended_before: Timestamp, limit: u32) -> StoreResult<u32> {
        let tenant = self.id.clone();
        self.access
            .write("remove_ended_tokens", Lane::Service, move |database| {
                lists::remove_ended(database, &tenant, ended_before, limit)
            })
            .await
    }
}

const CUSTOMER: &str = "customer";
const SUPER_USER: &str = "super_user";

fn insert(database: &Transaction<'_>, tenant: &str, token: &TokenRecord) -> Outcome<InsertTokenOutcome> {
    let TokenRecord { hash, kind, created_at, expires_at, revoked_at, label } = token;
    let (kind, user) = match kind {
        TokenKind::Customer(user) => {
            match is_disabled(database, tenant, user)? {
                Some(true) => return Ok(InsertTokenOutcome::UserDisabled),
                Some(false) => {}
                None => users::insert_unknown(database, tenant, user, *created_at)?,
            }
            (CUSTOMER, Some(user.as_str()))
        }
        TokenKind::SuperUser => (SUPER_USER, None),
    };
    let mut upsert = database.prepare_cached(
        "INSERT INTO tokens (tenant_id, hash, kind, user_id, created_at, expires_at, revoked_at, label)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
         ON CONFLICT (tenant_id, hash) DO UPDATE SET kind = excluded.kind, user_id = excluded.user_id,
             created_at = excluded.created_at, expires_at = excluded.expires_at,
             revoked_at = excluded.revoked_at, label = excluded.label",
    )?;
    upsert.execute(params![
        tenant,
        hash.0,
        kind,
        user,
        created_at.as_micros(),
        expires_at.map(Timestamp::as_micros),
        revoked_at.map(Timestamp::as_micros),
        label.as_ref().map(TokenLabel::as_str),
    ])?;
    Ok(InsertTokenOutcome::Stored)
}

/// Whether the user is shut out; none when the user is unknown.
fn is_disabled(database: &Transaction<'_>, tenant: &str, user: &UserId) -> Outcome<Option<bool>> {
    let mut select =
        database.prepare_cached("SELECT id, disabled_at FROM users WHERE tenant_id = ?1 AND id = ?2")?;
    let mut rows = select.query([tenant, user.as_str()])?;
    let Some(row) = rows.next()? else { return Ok(None) };
    Ok(Some(Record::new("users", 1, row).read_optional(1, timestamp)?.is_some()))
}

fn find(database: &Connection, tenant: &str, hash: &TokenHash) -> Outcome<Option<FoundToken>> {
    let mut select = database.prepare_cached(
        "SELECT tokens.user_id, tokens.kind, tokens.created_at, tokens.expires_at, tokens.revoked_at, tokens.label,
             users.disabled_at
         FROM tokens LEFT JOIN users ON users.tenant_id = tokens.tenant_id AND users.id = tokens.user_id
         WHERE tokens.tenant_id = ?1 AND tokens.hash = ?2",
    )?;
    let mut rows = select.query(params![tenant, hash.0])?;
    let Some(row) = rows.next()? else { return Ok(None) };
    let user_disabled = Record::new("tokens", 1, row).read_optional(6, timestamp)?.is_some();
    Ok(Some(FoundToken { record: read(row, *hash)?, user_disabled }))
}

/// The key in a report is the user: a hash is as good as a password to whoever reads the log.
fn read(row: &Row<'_>, hash: TokenHash) -> Outcome<TokenRecord> {
    let record = Record::new("tokens", 1, row);
    let user = record.read_optional(0, |id: Box<str>| UserId::new(id))?;
    let kind = record.parse(1, |kind| match (kind, user) {
        (CUSTOMER, Some(user)) => Ok(TokenKind::Customer(user)),
        (SUPER_USER, None) => Ok(TokenKind::SuperUser),
        _ => Err("does not go with the user"),
    })?;
    let created_at = record.read(2, timestamp)?;
    let expires_at = record.read_optional(3, timestamp)?;
    let revoked_at = record.read_optional(4, timestamp)?;
    let label = record.read_optional(5, |label: Box<str>| TokenLabel::new(label))?;
    Ok(TokenRecord { hash, kind, created_at, expires_at, revoked_at, label })
}

/// Without being told, SQLite would read all tokens of the tenant, which it takes for few.
fn revoke_all(
    database: &Transaction<'_>,
    tenant: &str,
    owner: &TokenKind,
    at: Timestamp,
) -> Outcome<Vec<TokenHash>> {
    // `IS`, because tokens of the back office have no user.
    let mut revoke = database.prepare_cached(
        "UPDATE tokens INDEXED BY tokens_by_user SET revoked_at = ?3
         WHERE tenant_id = ?1 AND user_id IS ?2 AND revoked_at IS NULL
         RETURNING user_id, hash, expires_at",
    )?;
    let mut rows = revoke.query(params![tenant, owner.user().map(UserId::as_str), at.as_micros()])?;
    let mut were_good = Vec::new();
    while let Some(row) = rows.next()? {
        let record = Record::new("tokens", 1, row);
        let hash = TokenHash(record.get(1)?);
        if record.read_optional(2, timestamp)?.is_none_or(|end| at < end) {
            were_good.push(hash);
        }
    }
    were_good.sort_unstable_by_key(|hash| hash.0);
    Ok(were_good)
}
