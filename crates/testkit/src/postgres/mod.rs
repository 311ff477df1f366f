//! Throw-away databases on PostgreSQL: one per test, on one server per test process.
//!
//! The server is that of `POINTBOOK_TEST_POSTGRES` (the URL of a database whose role may create others),
//! or one that is started for the process from installed binaries and ends with it. Where there is
//! neither, tests are skipped and say so in one line; on a build server (`CI=true`) they fail.
//!
//! `POINTBOOK_TEST_CITUS` is the URL of a database whose extension Citus knows some workers: tests make databases like it.
//! Without it they are skipped, also on a build server.
//!
//! What a process leaves on a server that it was given, `pointbook_test_RUN_NUMBER`, is dropped by the next
//! process that starts there.

mod admin;
mod bad_network;
mod citus;
mod cluster;
mod database;
mod pooler;
mod server;
mod tls;

use std::io::Write;
use std::sync::OnceLock;

use pointbook_throwaway_postgres::{SERVER, environment, find};
use tokio::sync::OnceCell;

use self::admin::Admin;
pub use self::bad_network::{Lost, losing_first};
pub use self::citus::{citus_database, has_citus, split_database};
pub use self::cluster::Cluster;
pub use self::database::PostgresDatabase;
pub use self::pooler::pooled_url;
pub use self::tls::TlsServer;

/// The guarantee that the transactions of a database get when they ask for none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Isolation {
    /// PostgreSQL's own default.
    ReadCommitted,
    /// The highest, under which transactions fail that stand in each other's way.
    Serializable,
}

/// An empty database; none where there is no server.
pub async fn empty_database() -> Option<PostgresDatabase> {
    Some(PostgresDatabase::create(admin()?, "template0").await)
}

/// A database as `migrate` leaves an empty one whose URL it gets; none where there is no server. Migrated
/// once for the process, then copied.
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

/// The server of this process, started when it is first asked for.
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
        "no PostgreSQL found, its tests are skipped: install the server, or give its folder of \
         binaries in POINTBOOK_POSTGRES_BIN or the URL of one in POINTBOOK_TEST_POSTGRES",
    );
    None
}

/// Says why tests are skipped; on a build server they fail instead.
fn skip(reason: &str) {
    assert_ne!(environment("CI"), Some("true".into()), "{reason}");
    tell(reason);
}

/// Past the capture of the test harness, which swallows what a passing test prints.
fn tell(line: &str) {
    std::io::stderr().write_all(format!("{line}\n").as_bytes()).unwrap();
}
