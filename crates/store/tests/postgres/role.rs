//! A service role in test databases.

use pointbook_store::postgres::{PostgresOptions, PostgresStore, PostgresUrl};
use pointbook_testkit::build;
pub(crate) use pointbook_testkit::postgres::SERVICE_ROLE as ROLE;
use pointbook_testkit::postgres::{Isolation, PostgresDatabase, migrated_database};
use tokio_postgres::{Client, NoTls};

/// A database with the schema and the role. Every test of this executable uses it, because a process migrates once and then
/// copies. `None` without a PostgreSQL server.
pub(crate) async fn migrated(isolation: Isolation) -> Option<PostgresDatabase> {
    migrated_database(isolation, migrate).await
}

pub(crate) async fn migrate(url: &str) {
    let client = connect(url).await;
    // Roles belong to the whole server, so another test may have created it.
    let _ = client.batch_execute(&format!("CREATE ROLE {ROLE}")).await;
    let (url, options) = (PostgresUrl::parse(url).unwrap(), PostgresOptions::new(build::noon()));
    PostgresStore::migrate(&url, &options).await.unwrap();
    PostgresStore::set_up_service_role(&url, &options, ROLE).await.unwrap();
}

/// Makes every later connection to the database use the role.
pub(crate) async fn hand_over(url: &str) {
    let client = connect(url).await;
    let name: String = client.query_one("SELECT current_database()::text", &[]).await.unwrap().get(0);
    client.batch_execute(&format!("ALTER DATABASE {name} SET role = {ROLE}")).await.unwrap();
}

pub(crate) async fn connect(url: &str) -> Client {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}
