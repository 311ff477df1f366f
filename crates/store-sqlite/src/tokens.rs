//! Access tokens.

mod lists;

use async_trait::async_trait;
use pointbook_app::StoreResult;
use pointbook_app::commands::OwnedToken;
use pointbook_app::ports::{FoundToken, TokenFilter, TokenStore};
use pointbook_domain::{Timestamp, TokenHash, TokenKind, TokenLabel, TokenRecord, UserId};
use rusqlite::{Connection, Row, Transaction, params};

use crate::error::Outcome;
use crate::row::{Record, timestamp};
use crate::store::SqliteTenant;
use crate::writer::SERVICE;

#[async_trait]
impl TokenStore for SqliteTenant {
    async fn find_token(&self, hash: &TokenHash) -> StoreResult<Option<FoundToken>> {
        self.access.read("find_token", |database| find(database, &self.id, hash))
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

    async fn remove_ended_tokens(&self, ended_before: Timestamp, limit: u32) -> StoreResult<u32> {
        let tenant = self.id.clone();
        self.access
            .write("remove_ended_tokens", SERVICE, move |database| {
                lists::remove_ended(database, &tenant, ended_before, limit)
            })
            .await
    }
}

const CUSTOMER: &str = "customer";
const SUPER_USER: &str = "super_user";

/// Stores a token in place of one with the same hash.
pub(crate) fn store(database: &Transaction<'_>, tenant: &str, token: &TokenRecord) -> Outcome<()> {
    let TokenRecord { hash, kind, created_at, expires_at, revoked_at, label } = token;
    let (kind, user) = match kind {
        TokenKind::Customer(user) => (CUSTOMER, Some(user.as_str())),
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
    Ok(())
}

/// Revokes a token that is not revoked.
pub(crate) fn revoke(
    database: &Transaction<'_>,
    tenant: &str,
    hash: &TokenHash,
    at: Timestamp,
) -> Outcome<()> {
    let mut update = database.prepare_cached(
        "UPDATE tokens SET revoked_at = ?3 WHERE tenant_id = ?1 AND hash = ?2 AND revoked_at IS NULL",
    )?;
    update.execute(params![tenant, hash.0, at.as_micros()])?;
    Ok(())
}

/// A token that is not revoked.
pub(crate) fn unrevoked(
    database: &Transaction<'_>,
    tenant: &str,
    hash: &TokenHash,
) -> Outcome<Option<OwnedToken>> {
    let mut select = database.prepare_cached(
        "SELECT user_id, hash, expires_at FROM tokens
         WHERE tenant_id = ?1 AND hash = ?2 AND revoked_at IS NULL",
    )?;
    let mut rows = select.query(params![tenant, hash.0])?;
    rows.next()?.map(read_owned).transpose()
}

/// The tokens of an owner that are not revoked. Without being told, SQLite would read all tokens of the tenant,
/// which it takes for few.
pub(crate) fn unrevoked_of(
    database: &Transaction<'_>,
    tenant: &str,
    owner: &TokenKind,
) -> Outcome<Vec<OwnedToken>> {
    // `IS`, because tokens of the back office have no user.
    let mut select = database.prepare_cached(
        "SELECT user_id, hash, expires_at FROM tokens INDEXED BY tokens_by_user
         WHERE tenant_id = ?1 AND user_id IS ?2 AND revoked_at IS NULL ORDER BY hash",
    )?;
    let mut rows = select.query(params![tenant, owner.user().map(UserId::as_str)])?;
    let mut tokens = Vec::new();
    while let Some(row) = rows.next()? {
        tokens.push(read_owned(row)?);
    }
    Ok(tokens)
}

fn read_owned(row: &Row<'_>) -> Outcome<OwnedToken> {
    let record = Record::new("tokens", 1, row);
    Ok(OwnedToken { hash: TokenHash(record.get(1)?), expires_at: record.read_optional(2, timestamp)? })
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
