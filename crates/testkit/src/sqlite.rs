//! Databases on SQLite, each a file in a temporary folder.

use std::sync::Arc;

use pointbook_domain::Tenant;
use pointbook_store_sqlite::{SqliteOptions, SqliteStore};

use crate::{TestDatabase, build};

/// A new database without tenants. Its folder exists as long as the value.
pub fn new_database() -> TestDatabase {
    let folder = tempfile::tempdir().unwrap();
    let options = SqliteOptions::new(build::noon());
    let store = SqliteStore::open(&folder.path().join("test.db"), &options).unwrap();
    TestDatabase { database: Arc::new(store), keep: Box::new(folder) }
}

/// A new database with these tenants.
pub async fn database_of(tenants: impl IntoIterator<Item = Tenant>) -> TestDatabase {
    let new = new_database();
    for tenant in tenants {
        new.database.insert_tenant(&tenant, &[]).await.unwrap();
    }
    new
}
