//! Finds tokens, and removes those that ended.

use async_trait::async_trait;
use pointbook_domain::{Timestamp, TokenHash, TokenRecord};
use rusqlite::{Connection, Transaction, params};

use crate::ports::{FoundToken, StoreResult, TokenStore};
use crate::schema::Group;
use crate::sql;
use crate::sqlite::error::Outcome;
use crate::sqlite::row;
use crate::sqlite::store::SqliteTenant;
use crate::sqlite::writer::SERVICE;

#[async_trait]
impl TokenStore for SqliteTenant {
    async fn find_token(&self, hash: &TokenHash) -> StoreResult<Option<FoundToken>> {
        self.access.read("find_token", |database| find(database, &self.id, hash))
    }

    async fn remove_ended_tokens(&self, ended_before: Timestamp, limit: u32) -> StoreResult<u32> {
        let tenant = self.id.clone();
        self.access
            .write("remove_ended_tokens", SERVICE, move |database| {
                remove_ended(database, &tenant, ended_before, limit)
            })
            .await
    }
}

fn find(database: &Connection, tenant: &str, hash: &TokenHash) -> Outcome<Option<FoundToken>> {
    let select = sql!(format!(
        "SELECT {}, users.disabled_at
         FROM tokens LEFT JOIN users ON users.tenant_id = tokens.tenant_id AND users.id = tokens.user_id
         WHERE tokens.tenant_id = ?1 AND tokens.hash = ?2",
        TokenRecord::names_of("tokens")
    ));
    let found: Option<(TokenRecord, Option<Timestamp>)> =
        row::one_of(("tokens", 1), database, select, params![tenant, hash.0])?;
    Ok(found.map(|(record, disabled_at)| FoundToken { record, user_disabled: disabled_at.is_some() }))
}

/// Removes expired and revoked tokens. Each of the two statements uses a different index.
fn remove_ended(
    database: &Transaction<'_>,
    tenant: &str,
    ended_before: Timestamp,
    limit: u32,
) -> Outcome<u32> {
    let statements = [
        "DELETE FROM tokens WHERE tenant_id = ?1 AND hash IN (
             SELECT hash FROM tokens INDEXED BY tokens_by_expiry
             WHERE tenant_id = ?1 AND expires_at < ?2 ORDER BY expires_at LIMIT ?3
         )",
        "DELETE FROM tokens WHERE tenant_id = ?1 AND hash IN (
             SELECT hash FROM tokens INDEXED BY tokens_by_revocation
             WHERE tenant_id = ?1 AND revoked_at < ?2 ORDER BY revoked_at LIMIT ?3
         )",
    ];
    let mut removed = 0;
    for sql in statements {
        let left = limit.saturating_sub(removed);
        let count = database.prepare_cached(sql)?.execute(params![tenant, ended_before.as_micros(), left])?;
        // The statement removes at most `left` rows, which is a `u32`.
        removed += u32::try_from(count).unwrap_or(left);
    }
    Ok(removed)
}
