//! Access tokens.

mod lists;

use async_trait::async_trait;
use pointbook_app::StoreResult;
use pointbook_app::ports::{FoundToken, TokenFilter, TokenStore};
use pointbook_domain::{Timestamp, TokenHash, TokenKind, TokenLabel, TokenRecord, UserId};
use tokio_postgres::Row;

use crate::connection::Connection;
use crate::error::Outcome;
use crate::row::{Record, timestamp};
use crate::scoped::IntoScoped;
use crate::store::PostgresTenant;

#[async_trait]
impl TokenStore for PostgresTenant {
    async fn find_token(&self, hash: &TokenHash) -> StoreResult<Option<FoundToken>> {
        self.access.read_short("find_token", |database| find(database, &self.id, hash).scoped()).await
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

    async fn remove_ended_tokens(&self, ended_before: Timestamp, limit: u32) -> StoreResult<u32> {
        self.access
            .write("remove_ended_tokens", |database| {
                lists::remove_ended(database, &self.id, ended_before, limit).scoped()
            })
            .await
    }
}

pub(crate) const CUSTOMER: &str = "customer";
pub(crate) const SUPER_USER: &str = "super_user";

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
