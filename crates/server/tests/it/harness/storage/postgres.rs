//! A database on the PostgreSQL server of this process.

use std::sync::Arc;

use pointbook_store::ports::Database;
use pointbook_store::postgres::{PostgresOptions, PostgresStore, PostgresUrl};
use pointbook_testkit::postgres::{PostgresDatabase, SERVICE_ROLE, Setup};
use tokio_postgres::{Client, NoTls};

use super::{recycled, setup};
use crate::harness::sample;

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
    pub(super) async fn fresh() -> Self {
        let database = recycled::take().await;
        assert!(database.is_some(), "this set-up requires PostgreSQL");
        Self { database }
    }

    fn url(&self) -> &str {
        &self.database.as_ref().unwrap().url
    }

    pub(super) async fn open(&self) -> Arc<dyn Database> {
        let url = setup().store_url(self.database.as_ref().unwrap());
        let url = PostgresUrl::parse(&url).unwrap();
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

fn options() -> PostgresOptions {
    PostgresOptions::new(sample::now())
}

/// Prepares an empty database for the set-up of this run.
pub(super) async fn prepare(url: &str) {
    // Roles belong to the whole server, so another process may have created it.
    let _ = connect(url).await.batch_execute(&format!("CREATE ROLE {SERVICE_ROLE}")).await;
    let (url, options) = (PostgresUrl::parse(url).unwrap(), options());
    PostgresStore::migrate(&url, &options).await.unwrap();
    if setup() == Setup::Citus {
        PostgresStore::split(&url, &options).await.unwrap();
    } else {
        PostgresStore::set_up_service_role(&url, &options, SERVICE_ROLE).await.unwrap();
    }
}

/// A connection with all rights, for statements about all tenants. It closes when it is dropped.
pub(super) async fn connect(url: &str) -> Client {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
    tokio::spawn(connection);
    client.batch_execute("SET ROLE NONE").await.unwrap();
    if setup() == Setup::Citus {
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
