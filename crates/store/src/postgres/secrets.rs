//! Reads and writes the secrets that keys are derived from.

use async_trait::async_trait;
use pointbook_domain::Timestamp;

use crate::ports::{SecretStore, StoreResult};
use crate::postgres::connection::{Connection, Transaction};
use crate::postgres::error::Outcome;
use crate::postgres::row::missing;
use crate::postgres::scoped::IntoScoped;
use crate::postgres::store::PostgresTenant;
use crate::schema::rows::NewSecret;
use crate::schema::{ColumnAt, Dialect, OnConflict, Statement};
use crate::statement;

#[async_trait]
impl SecretStore for PostgresTenant {
    async fn secret(&self, name: &str, fresh: &[u8; 32], now: Timestamp) -> StoreResult<[u8; 32]> {
        let known =
            self.access.read_short("secret", |database| find(database, &self.id, name).scoped()).await?;
        if let Some(secret) = known {
            return Ok(secret);
        }
        self.access
            .write("insert_secret", |database| find_or_insert(database, &self.id, name, fresh, now).scoped())
            .await
    }
}

async fn find(database: &Connection, tenant: &str, name: &str) -> Outcome<Option<[u8; 32]>> {
    let select = "SELECT name, value FROM tenant_secrets WHERE tenant_id = $1 AND name = $2";
    let found: Option<(ColumnAt, [u8; 32])> =
        database.one_of(("tenant_secrets", 1), select, &[&tenant, &name]).await?;
    Ok(found.map(|(_, value)| value))
}

/// Inserts the secret if it does not exist, and reads it. The insert waits for a concurrent one, so the read finds the secret.
async fn find_or_insert(
    database: &Transaction,
    tenant: &str,
    name: &str,
    fresh: &[u8; 32],
    now: Timestamp,
) -> Outcome<[u8; 32]> {
    let insert = statement!(Statement::insert::<NewSecret<'_>>(Dialect::Postgres, OnConflict::Keep));
    database.write(insert, tenant, &[NewSecret { name, value: fresh, created_at: now }]).await?;
    find(database, tenant, name).await?.ok_or_else(|| missing("tenant_secrets", name))
}
