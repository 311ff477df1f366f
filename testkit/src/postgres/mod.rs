//! Temporary databases on PostgreSQL: one per test, on one server per test process.
//!
//! The server is that of `POINTBOOK_TEST_POSTGRES` (the URL of a database whose role may create others), or one that the
//! process starts from installed binaries and ends. Without either, tests are skipped and print one line. With `CI=true`
//! they fail.
//!
//! `POINTBOOK_TEST_CITUS` is the URL of a database whose Citus extension has workers. Tests create databases like it.
//! Without this variable they are skipped, also with `CI=true`.
//!
//! A process may leave databases named `pointbook_test_RUN_NUMBER` on a given server. The next process that starts there
//! drops them.

mod admin;
mod bad_network;
mod citus;
mod cluster;
mod database;
mod pooler;
mod server;
mod setup;
#[cfg(test)]
mod tests;
mod tls;

use std::io::Write;
use std::sync::OnceLock;

use tokio::sync::OnceCell;
use tokio_postgres::{Client, NoTls};

use self::admin::Admin;
pub use self::bad_network::{Lost, losing_first};
pub use self::citus::{citus_database, split_database};
pub use self::cluster::Cluster;
pub use self::database::PostgresDatabase;
pub use self::pooler::pooled_url;
pub use self::setup::{SERVICE_ROLE, Setup};
pub use self::tls::TlsServer;
use xtask::throwaway_postgres::{SERVER, environment, find};

/// The default isolation level of a database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Isolation {
    /// PostgreSQL's default.
    ReadCommitted,
    /// The highest level, under which conflicting transactions fail.
    Serializable,
}

/// An empty database. Returns `None` without a server.
pub async fn empty_database() -> Option<PostgresDatabase> {
    Some(PostgresDatabase::create(admin()?, "template0").await)
}

/// A database after `migrate`, which gets the URL of an empty one. The process migrates once and then copies. Returns `None`
/// without a server.
pub async fn migrated_database(
    isolation: Isolation,
    migrate: impl AsyncFnOnce(&str),
) -> Option<PostgresDatabase> {
    static MIGRATED: OnceCell<PostgresDatabase> = OnceCell::const_new();
    let admin = admin()?;
    let migrated = MIGRATED.get_or_init(async || {
        let empty = PostgresDatabase::create(admin, "template0").await;
        migrate(&empty.url).await;
        empty
    });
    let copy = PostgresDatabase::create(admin, &migrated.await.name).await;
    if isolation == Isolation::Serializable {
        copy.make_serializable().await;
    }
    Some(copy)
}

/// Whether there is a server. Prints a line when there is none, or fails with `CI=true`.
fn has_server() -> bool {
    admin().is_some()
}

/// A connection that closes when it is dropped.
async fn connect(url: &str) -> Client {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

/// The server of this process, started at first use.
fn admin() -> Option<&'static Admin> {
    static ADMIN: OnceLock<Option<Admin>> = OnceLock::new();
    ADMIN.get_or_init(find_server).as_ref()
}

fn find_server() -> Option<Admin> {
    if let Some(url) = environment("POINTBOOK_TEST_POSTGRES") {
        return Some(Admin::connect(url.to_str().unwrap()));
    }
    if let Some(binaries) = find(SERVER).unwrap() {
        return Some(Admin::connect(&server::start(&binaries)));
    }
    skip(
        "tests on PostgreSQL are skipped, no server found: install it, or set POINTBOOK_POSTGRES_BIN to its \
         folder of binaries or POINTBOOK_TEST_POSTGRES to a URL",
    );
    None
}

/// Prints why tests are skipped. With `CI=true` they fail instead.
fn skip(reason: &str) {
    assert_ne!(environment("CI"), Some("true".into()), "{reason}");
    tell(reason);
}

/// Writes directly to stderr, because the test harness hides the output of passing tests.
fn tell(line: &str) {
    std::io::stderr().write_all(format!("{line}\n").as_bytes()).unwrap();
}
