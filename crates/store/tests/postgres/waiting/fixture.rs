//! A tenant with one product, and a second connection, whose transactions come in between.

use std::sync::Arc;

use pointbook_catalogue::commands::UpsertProducts;
use pointbook_domain::Product;
use pointbook_points::orders::place::PlaceOrder;
use pointbook_store::ports::{Database, Execution, NewOrder, PlaceOrderOutcome, TenantData, WrittenOrder};
use pointbook_store::postgres::{PostgresOptions, PostgresStore, PostgresUrl};
use pointbook_testkit::build;
use pointbook_testkit::build::{activity, recorded};
use pointbook_testkit::postgres::{Isolation, Lost, PostgresDatabase, losing_first};
use tokio::task::JoinHandle;
use tokio_postgres::{Client, NoTls};

use crate::role::migrated;

/// The fields drop in order: the connections before their database.
pub(crate) struct WaitingFixture {
    pub(crate) data: Arc<dyn TenantData>,
    /// The second connection.
    pub(crate) other: Client,
    database: PostgresDatabase,
}

impl WaitingFixture {
    /// Adds the tenant, with 10,000 points for the user u1. `None` without a PostgreSQL server.
    pub(crate) async fn with(product: Product) -> Option<Self> {
        let options = PostgresOptions::new(build::noon());
        let database = migrated(Isolation::ReadCommitted).await?;
        let store = connect(&database, &options).await;
        let tenant = build::tenant("acme");
        store.insert_tenant(&tenant, &[]).await.unwrap();
        let data = store.tenant(&tenant.id);
        data.write(UpsertProducts(vec![build::upsert(product)])).await.unwrap();
        data.write(build::history([recorded("u1", activity("first", 10_000))])).await.unwrap();
        let other = client(&database).await;
        Some(Self { data, other, database })
    }

    /// Another connection.
    pub(crate) async fn another(&self) -> Client {
        client(&self.database).await
    }

    /// The same tenant on another instance.
    pub(crate) async fn elsewhere(&self) -> Arc<dyn TenantData> {
        self.instance(&PostgresOptions::new(build::noon())).await.tenant(&build::tenant("acme").id)
    }

    /// Another instance with these options.
    pub(crate) async fn instance(&self, options: &PostgresOptions) -> Arc<dyn Database> {
        connect(&self.database, options).await
    }

    /// The same tenant, over a network that loses the first commit.
    pub(crate) async fn losing_commit(&self, lost: Lost) -> Arc<dyn TenantData> {
        let url = PostgresUrl::parse(&losing_first("COMMIT", lost, &self.database).await).unwrap();
        let store = PostgresStore::connect(&url, &PostgresOptions::new(build::noon())).await.unwrap();
        store.tenant(&build::tenant("acme").id)
    }

    /// Runs statements without parameters on the second connection.
    pub(crate) async fn meanwhile(&self, sql: &str) {
        self.other.batch_execute(sql).await.unwrap();
    }

    /// Waits until the work waits for a lock or is done.
    pub(crate) async fn until_waiting<T>(&self, work: &JoinHandle<T>) {
        while !work.is_finished() && self.waiting().await == 0 {}
    }

    /// How many connections wait for a lock.
    pub(crate) async fn waiting(&self) -> i64 {
        let waiting = "SELECT count(*) FROM pg_stat_activity
                       WHERE datname = current_database() AND wait_event_type = 'Lock'";
        self.other.query_one(waiting, &[]).await.unwrap().get(0)
    }

    /// Returns the result of work that waits for the second connection. That connection runs `change` in a transaction, and
    /// ends it with `end` when the work waits.
    pub(crate) async fn behind<T: Send + 'static>(
        &self,
        change: &str,
        end: &str,
        work: impl Future<Output = T> + Send + 'static,
    ) -> T {
        self.meanwhile(&format!("BEGIN; {change}")).await;
        let work = tokio::spawn(work);
        self.until_waiting(&work).await;
        assert!(!work.is_finished(), "the work must wait for {change}");
        self.meanwhile(end).await;
        work.await.unwrap()
    }

    /// Starts to place an order, which must succeed.
    pub(crate) fn placing(&self, order: NewOrder) -> JoinHandle<WrittenOrder> {
        let data = self.data.clone();
        tokio::spawn(async move {
            match data.execute(PlaceOrder::without_end(order), None).await.unwrap() {
                Execution::Executed(PlaceOrderOutcome::Placed(written)) => *written,
                other => panic!("the order must be placed, got {other:?}"),
            }
        })
    }
}

async fn connect(database: &PostgresDatabase, options: &PostgresOptions) -> Arc<dyn Database> {
    let url = PostgresUrl::parse(&database.url).unwrap();
    Arc::new(PostgresStore::connect(&url, options).await.unwrap())
}

async fn client(database: &PostgresDatabase) -> Client {
    let (client, connection) = tokio_postgres::connect(&database.url, NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}
