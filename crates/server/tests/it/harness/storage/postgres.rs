//! A database on the PostgreSQL server of this process.

use std::env;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::sync::Arc;

use pointbook_app::ports::Database;
use pointbook_store_postgres::{PostgresOptions, PostgresStore, PostgresUrl};
use pointbook_testkit::postgres::{Isolation, PostgresDatabase, has_citus};
use tokio_postgres::{Client, NoTls};

use super::recycled;
use crate::harness::{sample, transcript};

pub(crate) struct PostgresServer {
    /// It exists until this is dropped.
    database: Option<PostgresDatabase>,
}

impl Drop for PostgresServer {
    fn drop(&mut self) {
        self.database.take().into_iter().for_each(recycled::give_back);
    }
}

impl PostgresServer {
    pub(super) async fn fresh(isolation: Isolation) -> Self {
        let database = recycled::take(isolation).await;
        if database.is_none() {
            // The message that the tests are skipped is printed already. Other tests of the suite would fail, too.
            transcript::nothing_to_write();
            run_without_the_suite();
        }
        Self { database }
    }

    fn url(&self) -> &str {
        &self.database.as_ref().unwrap().url
    }

    pub(super) async fn open(&self) -> Arc<dyn Database> {
        let url = PostgresUrl::parse(self.url()).unwrap();
        Arc::new(PostgresStore::connect(&url, &options()).await.unwrap())
    }

    async fn connect(&self) -> Client {
        connect(self.url()).await
    }

    pub(super) async fn execute(&self, statement: &str) -> u64 {
        self.connect().await.execute(statement, &[]).await.unwrap()
    }

    pub(super) async fn lock(&self) -> Client {
        let client = self.connect().await;
        let all = tables(&client).await.join(", ");
        client.batch_execute(&format!("BEGIN; LOCK TABLE {all} IN EXCLUSIVE MODE")).await.unwrap();
        client
    }

    pub(super) async fn rows(&self) -> Vec<String> {
        let client = self.connect().await;
        let mut tables = tables(&client).await;
        tables.retain(|table| !["request_keys", "jobs"].contains(&table.as_str()));
        content(&client, &tables).await
    }

    /// Searches every column of every table, including bytes.
    pub(super) async fn holds(&self, bytes: &[u8]) -> bool {
        let client = self.connect().await;
        let rows = content(&client, &tables(&client).await).await;
        let (text, hex) = (String::from_utf8_lossy(bytes), data_encoding::HEXLOWER.encode(bytes));
        rows.iter().any(|row| row.contains(&*text) || row.contains(&hex))
    }
}

/// The prefix of the names of all tests that need a database.
const WITHOUT_SUITE: [&str; 2] = ["--skip", "suite::"];

/// Runs the test program again without the tests of the suite. They then count as filtered out, the other tests run, and
/// failures are found again.
fn run_without_the_suite() -> ! {
    let words = env::args().skip(1).filter(|word| word != "--exact").collect::<Vec<_>>();
    assert!(!words.ends_with(&WITHOUT_SUITE.map(str::to_owned)), "a test outside the suite has a database");
    let error = Command::new(env::current_exe().unwrap()).args(words).args(WITHOUT_SUITE).exec();
    panic!("the run cannot begin again: {error}");
}

fn options() -> PostgresOptions {
    PostgresOptions::new(sample::now())
}

/// Upgrades the schema of a database.
pub(super) async fn migrate(url: &str) {
    PostgresStore::migrate(&PostgresUrl::parse(url).unwrap(), &options()).await.unwrap();
}

pub(super) async fn migrate_and_split(url: &str) {
    migrate(url).await;
    PostgresStore::split(&PostgresUrl::parse(url).unwrap(), &options()).await.unwrap();
}

/// A connection for statements about all tenants. It closes when it is dropped.
pub(super) async fn connect(url: &str) -> Client {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
    tokio::spawn(connection);
    if has_citus() {
        client.batch_execute("SET citus.multi_task_query_log_level = off").await.unwrap();
    }
    client
}

/// The names of all tables.
pub(super) async fn tables(client: &Client) -> Vec<String> {
    let tables = "SELECT table_name::text FROM information_schema.tables \
                  WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' ORDER BY 1";
    texts(client, tables).await
}

async fn content(client: &Client, tables: &[String]) -> Vec<String> {
    let mut rows = Vec::new();
    for table in tables {
        rows.extend(texts(client, &format!("SELECT '{table} ' || t::text FROM {table} t ORDER BY 1")).await);
    }
    rows
}

/// The only column of a result.
async fn texts(client: &Client, sql: &str) -> Vec<String> {
    client.query(sql, &[]).await.unwrap().iter().map(|row| row.get(0)).collect()
}
