//! Finds tokens, and removes those that ended.

use async_trait::async_trait;
use pointbook_domain::{Timestamp, TokenHash, TokenRecord};

use crate::ports::{FoundToken, StoreResult, TokenStore};
use crate::postgres::connection::{Connection, Params, Transaction};
use crate::postgres::error::Outcome;
use crate::postgres::scoped::IntoScoped;
use crate::postgres::store::PostgresTenant;
use crate::schema::{ColumnAt, Group, Statement};
use crate::{sql, statement};

#[async_trait]
impl TokenStore for PostgresTenant {
    async fn find_token(&self, hash: &TokenHash) -> StoreResult<Option<FoundToken>> {
        self.access.read_short("find_token", |database| find(database, &self.id, hash).scoped()).await
    }

    async fn remove_ended_tokens(&self, ended_before: Timestamp, limit: u32) -> StoreResult<u32> {
        self.access
            .write("remove_ended_tokens", |database| {
                remove_ended(database, &self.id, ended_before, limit).scoped()
            })
            .await
    }
}

async fn find(database: &Connection, tenant: &str, hash: &TokenHash) -> Outcome<Option<FoundToken>> {
    let select = sql!(format!(
        "SELECT {}, users.disabled_at
         FROM tokens LEFT JOIN users ON users.tenant_id = tokens.tenant_id AND users.id = tokens.user_id
         WHERE tokens.tenant_id = $1 AND tokens.hash = $2",
        TokenRecord::names_of("tokens")
    ));
    let found: Option<(TokenRecord, Option<Timestamp>)> =
        database.one_of(("tokens", 1), select, &[&tenant, &hash.0.as_slice()]).await?;
    Ok(found.map(|(record, disabled_at)| FoundToken { record, user_disabled: disabled_at.is_some() }))
}

/// Removes expired and revoked tokens. Skips those that another instance is removing. The tokens are read first, because a
/// single DELETE with a limit parameter makes PostgreSQL plan to read all tokens.
async fn remove_ended(
    database: &Transaction,
    tenant: &str,
    ended_before: Timestamp,
    limit: u32,
) -> Outcome<u32> {
    let selects = [
        "SELECT user_id, hash FROM tokens WHERE tenant_id = $1 AND expires_at < $2
         ORDER BY expires_at LIMIT $3 FOR UPDATE SKIP LOCKED",
        "SELECT user_id, hash FROM tokens WHERE tenant_id = $1 AND revoked_at < $2
         ORDER BY revoked_at LIMIT $3 FOR UPDATE SKIP LOCKED",
    ];
    let mut removed = 0;
    for select in selects {
        let left = limit.saturating_sub(removed);
        let params: Params<'_> = &[&tenant, &ended_before.as_micros(), &i64::from(left)];
        let ended: Vec<(ColumnAt, TokenHash)> = database.all_of(("tokens", 0), select, params).await?;
        let hashes: Vec<(TokenHash,)> = ended.into_iter().map(|(_, hash)| (hash,)).collect();
        let delete = statement!(Statement::of_arrays::<(TokenHash,)>(
            "DELETE FROM tokens WHERE tenant_id = $1 AND hash = ANY ({arrays})"
        ));
        let count = database.write(delete, tenant, &hashes).await?;
        // The statement removes at most `left` rows, which is a `u32`.
        removed += u32::try_from(count).unwrap_or(left);
    }
    Ok(removed)
}
