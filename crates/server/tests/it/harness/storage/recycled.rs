//! Databases that one test after the other uses. Emptying a database is much faster than creating one, which takes the
//! system calls for some 300 files.

use std::sync::Mutex;

use pointbook_testkit::postgres::{PostgresDatabase, Setup};
use tokio_postgres::Client;

use super::{postgres, setup};

/// Databases of tests that have succeeded. All are of the set-up of this run.
static IDLE: Mutex<Vec<PostgresDatabase>> = Mutex::new(Vec::new());

/// A database without rows; `None` without a server. On Citus each one is new: a rename on all servers would save
/// little.
pub(super) async fn take() -> Option<PostgresDatabase> {
    let idle = IDLE.lock().unwrap().pop();
    let Some(database) = idle.filter(|_| setup() != Setup::Citus) else {
        return setup().database(postgres::prepare).await;
    };
    // The test before may still have work that runs, and a store that retries it when its connection is cut.
    let database = database.withdraw().await;
    empty(&postgres::connect(&database.url).await).await;
    Some(database)
}

/// Takes back the database of a test that has ended.
pub(super) fn give_back(database: PostgresDatabase) {
    // The database of a failed test is dropped.
    if !std::thread::panicking() && database.is_whole() {
        IDLE.lock().unwrap().push(database);
    }
}

/// Removes every row but those of the schema version.
async fn empty(client: &Client) {
    let mut tables = postgres::tables(client).await;
    tables.retain(|table| table != "schema_migrations");
    // In one statement, because foreign keys are checked at its end.
    let delete = |table: &String| format!("of_{table} AS (DELETE FROM {table})");
    let all = tables.iter().map(delete).collect::<Vec<_>>().join(", ");
    client.batch_execute(&format!("WITH {all} SELECT 1")).await.unwrap();
}
