//! Runs the conformance suite on SQLite.

use pointbook_testkit::{TestDatabase, sqlite};

async fn new_file() -> TestDatabase {
    sqlite::new_database()
}

pointbook_testkit::conformance_suite!(new_file);
