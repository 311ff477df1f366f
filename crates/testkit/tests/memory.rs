//! The store in memory passes the conformance suite without the facts of tables.

use std::sync::Arc;

use pointbook_testkit::{MemoryStore, TestDatabase};

async fn new_store() -> TestDatabase {
    TestDatabase { database: Arc::new(MemoryStore::default()), keep: Box::new(()) }
}

pointbook_testkit::conformance_without_tables!(new_store);
