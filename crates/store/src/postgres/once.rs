//! Removes idempotency keys that are no longer used.

use async_trait::async_trait;
use pointbook_domain::Timestamp;

use crate::ports::{RequestKeyStore, StoreResult};
use crate::postgres::connection::{Params, Transaction};
use crate::postgres::error::Outcome;
use crate::postgres::scoped::IntoScoped;
use crate::postgres::store::PostgresTenant;
use crate::schema::Statement;
use crate::statement;

#[async_trait]
impl RequestKeyStore for PostgresTenant {
    async fn forget_request_keys(&self, used_before: Timestamp, limit: u32) -> StoreResult<u32> {
        self.access
            .write("forget_request_keys", |database| forget(database, &self.id, used_before, limit).scoped())
            .await
    }

    async fn oldest_request_key(&self) -> StoreResult<Option<Timestamp>> {
        let select =
            "SELECT last_used_at FROM request_keys WHERE tenant_id = $1 ORDER BY last_used_at LIMIT 1";
        let params: Params<'_> = &[&&*self.id];
        let oldest: Option<(Timestamp,)> = self
            .access
            .read_short("oldest_request_key", |database| {
                database.one_of(("request_keys", 0), select, params).scoped()
            })
            .await?;
        Ok(oldest.map(|(time,)| time))
    }
}

/// Removes old keys. Skips those that a request is using or another instance is removing. There are two statements, because a
/// single DELETE with a limit parameter makes PostgreSQL plan to read all keys.
async fn forget(database: &Transaction, tenant: &str, used_before: Timestamp, limit: u32) -> Outcome<u32> {
    let old = "SELECT principal, key FROM request_keys WHERE tenant_id = $1 AND last_used_at < $2
               ORDER BY last_used_at LIMIT $3 FOR UPDATE SKIP LOCKED";
    let params: Params<'_> = &[&tenant, &used_before.as_micros(), &i64::from(limit)];
    let rows: Vec<(String, String)> = database.all_of(("request_keys", 0), old, params).await?;
    let delete = statement!(Statement::of_arrays::<(String, String)>(
        "DELETE FROM request_keys USING unnest({arrays}) AS old (principal, key)
         WHERE tenant_id = $1 AND request_keys.principal = old.principal AND request_keys.key = old.key"
    ));
    let forgotten = database.write(delete, tenant, &rows).await?;
    // The statement removes at most `limit` rows, which is a `u32`.
    Ok(u32::try_from(forgotten).unwrap_or(limit))
}
