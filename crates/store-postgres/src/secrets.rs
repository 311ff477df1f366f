//! The secrets that keys are derived from.

use async_trait::async_trait;
use pointbook_app::StoreResult;
use pointbook_app::ports::SecretStore;
use pointbook_domain::Timestamp;

use crate::connection::{Connection, Transaction};
use crate::error::Outcome;
use crate::row::{Record, hash, missing};
use crate::scoped::IntoScoped;
use crate::store::PostgresTenant;

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
    let row = database.row(select, &[&tenant, &name]).await?;
    row.map(|row| Record::new("tenant_secrets", 1, &row).read(1, hash)).transpose()
}

/// The insert waits for another one under way, so that the secret is there when it is read.
async fn find_or_insert(
    database: &Transaction,
    tenant: &str,
    name: &str,
    fresh: &[u8; 32],
    now: Timestamp,
) -> Outcome<[u8; 32]> {
    let insert = "INSERT INTO tenant_secrets (tenant_id, name, value, created_at) VALUES ($1, $2, $3, $4)
                  ON CONFLICT (tenant_id, name) DO NOTHING";
    database.execute(insert, &[&tenant, &name, &fresh.as_slice(), &now.as_micros()]).await?;
    find(database, tenant, name).await?.ok_or_else(|| missing("tenant_secrets", name))
}
