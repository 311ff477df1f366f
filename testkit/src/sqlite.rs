//! Databases on SQLite, each a file in a temporary folder.

use std::path::PathBuf;
use std::sync::Arc;

use pointbook_domain::Tenant;
use pointbook_store::ports::Database;
use pointbook_store::sqlite::{SqliteOptions, SqliteStore};
use tempfile::TempDir;

use crate::{TestDatabase, build};

/// A new database without tenants in a file, which other connections may open at the path. The folder ends with its value.
pub fn new_file() -> (TempDir, PathBuf, Arc<dyn Database>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.db");
    let store = SqliteStore::open(&path, &SqliteOptions::new(build::noon())).unwrap();
    (folder, path, Arc::new(store))
}

/// A new database without tenants. Its folder exists as long as the value.
pub fn new_database() -> TestDatabase {
    let (folder, _, database) = new_file();
    TestDatabase { database, keep: Box::new(folder) }
}

/// A new database with these tenants.
pub async fn database_of(tenants: impl IntoIterator<Item = Tenant>) -> TestDatabase {
    let new = new_database();
    for tenant in tenants {
        new.database.insert_tenant(&tenant, &[]).await.unwrap();
    }
    new
}
