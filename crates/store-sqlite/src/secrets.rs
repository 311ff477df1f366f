//! The secrets that keys are derived from.

use async_trait::async_trait;
use pointbook_app::StoreResult;
use pointbook_app::ports::SecretStore;
use pointbook_domain::Timestamp;
use rusqlite::{Connection, Transaction, params};

use crate::error::Outcome;
use crate::row::{Record, missing};
use crate::store::SqliteTenant;
use crate::writer::SERVICE;

#[async_trait]
impl SecretStore for SqliteTenant {
    async fn secret(&self, name: &str, fresh: &[u8; 32], now: Timestamp) -> StoreResult<[u8; 32]> {
        let known = self.access.read("secret", |database| find(database, &self.id, name))?;
        if let Some(secret) = known {
            return Ok(secret);
        }
        let (tenant, name, fresh) = (self.id.clone(), name.to_owned(), *fresh);
        let insert = move |database: &Transaction<'_>| find_or_insert(database, &tenant, &name, &fresh, now);
        self.access.write("insert_secret", SERVICE, insert).await
    }
}

fn find(database: &Connection, tenant: &str, name: &str) -> Outcome<Option<[u8; 32]>> {
    let mut select = database.prepare_cached(
        "SELECT name, value FROM tenant_secrets WHERE tenant_id = ?1 AND name = ?2 ORDER BY name",
    )?;
    let mut rows = select.query([tenant, name])?;
    let Some(row) = rows.next()? else { return Ok(None) };
    Record::new("tenant_secrets", 1, row).get(1).map(Some)
}

fn find_or_insert(
    database: &Transaction<'_>,
    tenant: &str,
    name: &str,
    fresh: &[u8; 32],
    now: Timestamp,
) -> Outcome<[u8; 32]> {
    database.execute(
        "INSERT INTO tenant_secrets (tenant_id, name, value, created_at) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (tenant_id, name) DO NOTHING",
        params![tenant, name, fresh, now.as_micros()],
    )?;
    find(database, tenant, name)?.ok_or_else(|| missing("tenant_secrets", name))
}
