//! Databases that serve one test after the other: emptying one takes a small part of the time that it takes
//! to create one, of which the system calls for some 300 files are the most.

use std::sync::Mutex;

use pointbook_testkit::postgres::{
    Isolation, PostgresDatabase, has_citus, migrated_database, split_database,
};
use tokio_postgres::Client;

use super::postgres;

/// Those of tests that have ended well. All have the isolation of this target.
static IDLE: Mutex<Vec<PostgresDatabase>> = Mutex::new(Vec::new());

/// A database without rows; none where there is no server. On Citus each is new: renaming one on all servers would save
/// little.
pub(super) async fn take(isolation: Isolation) -> Option<PostgresDatabase> {
    if isolation == Isolation::ReadCommitted && has_citus() {
        return split_database(postgres::migrate_and_split).await;
    }
    let idle = IDLE.lock().unwrap().pop();
    let Some(database) = idle else {
        return migrated_database(isolation, postgres::migrate).await;
    };
    // The test before may still have work under way, and a store that does it again when it is cut.
    let database = database.withdraw().await;
    empty(&postgres::connect(&database.url).await).await;
    Some(database)
}

/// Takes back a database whose test has ended.
pub(super) fn give_back(database: PostgresDatabase) {
    // One that a test failed on goes with it.
    if !std::thread::panicking() && database.is_whole() {
        IDLE.lock().unwrap().push(database);
    }
}

/// Removes every row but those of the schema's version.
async fn empty(client: &Client) {
    let mut tables = postgres::tables(client).await;
    tables.retain(|table| table != "schema_migrations");
    // In one statement, because what refers to a row is looked for at the end of it.
    let delete = |table: &String| format!("of_{table} AS (DELETE FROM {table})");
    let all = tables.iter().map(delete).collect::<Vec<_>>().join(", ");
    client.batch_execute(&format!("WITH {all} SELECT 1")).await.unwrap();
}
