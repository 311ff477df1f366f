//! Reads and writes the secrets that keys are derived from.

use async_trait::async_trait;
use pointbook_domain::Timestamp;
use rusqlite::{Connection, Transaction};

use crate::ports::{SecretStore, StoreResult};
use crate::schema::rows::NewSecret;
use crate::schema::{ColumnAt, Dialect, OnConflict, Statement};
use crate::sqlite::error::Outcome;
use crate::sqlite::row;
use crate::sqlite::row::missing;
use crate::sqlite::store::SqliteTenant;
use crate::sqlite::writer::{SERVICE, SharedCommit};
use crate::statement;

#[async_trait]
impl SecretStore for SqliteTenant {
    async fn secret(&self, name: &str, fresh: &[u8; 32], now: Timestamp) -> StoreResult<[u8; 32]> {
        let known = self.access.read("secret", |database| find(database, &self.id, name))?;
        if let Some(secret) = known {
            return Ok(secret);
        }
        let (tenant, name, fresh) = (self.id.clone(), name.to_owned(), *fresh);
        let insert = move |database: &SharedCommit<'_>| find_or_insert(database, &tenant, &name, &fresh, now);
        self.access.write("insert_secret", SERVICE, insert).await
    }
}

fn find(database: &Connection, tenant: &str, name: &str) -> Outcome<Option<[u8; 32]>> {
    let select = "SELECT name, value FROM tenant_secrets WHERE tenant_id = ?1 AND name = ?2 ORDER BY name";
    let found: Option<(ColumnAt, [u8; 32])> =
        row::one_of(("tenant_secrets", 1), database, select, [tenant, name])?;
    Ok(found.map(|(_, value)| value))
}

fn find_or_insert(
    database: &Transaction<'_>,
    tenant: &str,
    name: &str,
    fresh: &[u8; 32],
    now: Timestamp,
) -> Outcome<[u8; 32]> {
    let insert = statement!(Statement::insert::<NewSecret<'_>>(Dialect::Sqlite, OnConflict::Keep));
    row::write(database, insert, tenant, &NewSecret { name, value: fresh, created_at: now })?;
    find(database, tenant, name)?.ok_or_else(|| missing("tenant_secrets", name))
}
