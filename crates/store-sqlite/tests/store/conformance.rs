//! Runs the conformance suite on SQLite.

use std::sync::Arc;

use pointbook_store_sqlite::{SqliteOptions, SqliteStore};
use pointbook_testkit::{TestDatabase, build};

async fn new_file() -> TestDatabase {
    let folder = tempfile::tempdir().unwrap();
    let store =
        SqliteStore::open(&folder.path().join("test.db"), &SqliteOptions::new(build::noon())).unwrap();
    TestDatabase { database: Arc::new(store), keep: Box::new(folder) }
}

pointbook_testkit::conformance_suite!(new_file);
