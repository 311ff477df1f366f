//! Throw-away databases on PostgreSQL: one per test, on one server per test process.
//!
//! The server is that of `POINTBOOK_TEST_POSTGRES` (the URL of a database whose role may create others),
//! or one that is started for the process from installed binaries and ends with it. Where there is
//! neither, tests are skipped and say so in one line; on a build server (`CI=true`) they fail.

mod admin;
mod bad_network;
mod binaries;
mod cluster;
mod pooler;
mod server;
mod shell;
mod tls;

use std::env;
use std::ffi::OsString;
use std::io::Write;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use tokio::sync::OnceCell;

use self::admin::Admin;
pub use self::bad_network::{Lost, losing_first};
pub use self::cluster::Cluster;
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

/// The database of one test, which drops it with this.
pub struct PostgresDatabase {
    /// How to connect to it.
    pub url: String,
    name: String,
    admin: &'static Admin,
}

impl Drop for PostgresDatabase {
    fn drop(&mut self) {
        self.admin.run_and_block(format!("DROP DATABASE {} WITH (FORCE)", self.name));
    }
}

/// An empty database; none where there is no server.
pub async fn empty_database() -> Option<PostgresDatabase> {
    Some(create(admin()?, "template0").await)
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
        let empty = create(admin, "template0").await;
        migrate(&empty.url).await;
        empty
    });
    let copy = create(admin, &migrated.await.name).await;
    if isolation == Isolation::Serializable {
        let name = &copy.name;
        admin.run(format!("ALTER DATABASE {name} SET default_transaction_isolation = serializable")).await;
    }
    Some(copy)
}

async fn create(admin: &'static Admin, template: &str) -> PostgresDatabase {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let name = format!("pointbook_test_{}_{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
    admin.run(format!("CREATE DATABASE {name} TEMPLATE {template}")).await;
    PostgresDatabase { url: admin.url_of(&name), name, admin }
}

/// The server of this process, started when it is first asked for.
fn admin() -> Option<&'static Admin> {
    static ADMIN: OnceLock<Option<Admin>> = OnceLock::new();
    ADMIN.get_or_init(find_server).as_ref()
}

fn find_server() -> Option<Admin> {
    if let Some(url) = given("POINTBOOK_TEST_POSTGRES") {
        return Some(Admin::connect(url.to_str().unwrap()));
    }
    if let Some(binaries) = binaries::find(binaries::SERVER) {
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
    assert_ne!(given("CI"), Some("true".into()), "{reason}");
    // Past the capture of the test harness, which swallows what a passing test prints.
    std::io::stderr().write_all(format!("{reason}\n").as_bytes()).unwrap();
}

/// What the environment says, where a run of tests is told about its machine.
#[expect(clippy::disallowed_methods, reason = "tests are not the server, whose configuration alone reads it")]
fn given(variable: &str) -> Option<OsString> {
    env::var_os(variable)
}
