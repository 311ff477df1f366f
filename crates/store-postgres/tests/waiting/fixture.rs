//! A tenant with one product, and a connection of somebody else, whose transactions come in between.

use std::sync::Arc;

use pointbook_app::ports::{
    Database, Execution, NewOrder, PlaceOrderOutcome, TenantData, TenantStore, WrittenOrder,
};
use pointbook_app::{PlaceOrder, UpsertProducts};
use pointbook_domain::Product;
use pointbook_store_postgres::{PostgresOptions, PostgresStore, PostgresUrl};
use pointbook_testkit::build::{self, activity, recorded};
use pointbook_testkit::postgres::{Isolation, Lost, PostgresDatabase, losing_first, migrated_database};
use tokio::task::JoinHandle;
use tokio_postgres::{Client, NoTls};

/// Dropped from the top: the connections before their database.
pub(crate) struct WaitingFixture {
    pub(crate) data: Arc<dyn TenantData>,
    /// Somebody else.
    pub(crate) other: Client,
    database: PostgresDatabase,
}

impl WaitingFixture {
    /// None where there is no server. The user u1 has 10,000 points.
    pub(crate) async fn with(product: Product) -> Option<Self> {
        let options = PostgresOptions::new(build::noon());
        let migrate = async |url: &str| {
            PostgresStore::migrate(&PostgresUrl::parse(url).unwrap(), &options).await.unwrap();
        };
        let database = migrated_database(Isolation::ReadCommitted, migrate).await?;
        let store =
            PostgresStore::connect(&PostgresUrl::parse(&database.url).unwrap(), &options).await.unwrap();
        let tenant = build::tenant("acme");
        store.insert_tenant(&tenant).await.unwrap();
        let data = store.tenant(&tenant.id);
        data.write(UpsertProducts(vec![build::upsert(product)])).await.unwrap();
        data.write(build::history([recorded("u1", activity("first", 10_000))])).await.unwrap();
        let other = client(&database).await;
        Some(Self { data, other, database })
    }

    /// Somebody else again.
    pub(crate) async fn another(&self) -> Client {
        client(&self.database).await
    }

    /// The same tenant, as another instance serves it.
    pub(crate) async fn elsewhere(&self) -> Arc<dyn TenantData> {
        self.instance(&PostgresOptions::new(build::noon())).await.tenant(&build::tenant("acme").id)
    }

    /// Another instance.
    pub(crate) async fn instance(&self, options: &PostgresOptions) -> PostgresStore {
        PostgresStore::connect(&PostgresUrl::parse(&self.database.url).unwrap(), options).await.unwrap()
    }

    /// The same tenant behind a network that loses its first commit.
    pub(crate) async fn losing_commit(&self, lost: Lost) -> Arc<dyn TenantData> {
        let url = PostgresUrl::parse(&losing_first("COMMIT", lost, &self.database).await).unwrap();
        let store = PostgresStore::connect(&url, &PostgresOptions::new(build::noon())).await.unwrap();
        store.tenant(&build::tenant("acme").id)
    }

    /// Lets somebody else run statements without values.
    pub(crate) async fn meanwhile(&self, sql: &str) {
        self.other.batch_execute(sql).await.unwrap();
    }

    /// Ends when the work waits for a lock, or is done.
    pub(crate) async fn until_waiting<T>(&self, work: &JoinHandle<T>) {
        while !work.is_finished() && self.waiting().await == 0 {}
    }

    /// How many connections wait for a lock.
    pub(crate) async fn waiting(&self) -> i64 {
        let waiting = "SELECT count(*) FROM pg_stat_activity
                       WHERE datname = current_database() AND wait_event_type = 'Lock'";
        self.other.query_one(waiting, &[]).await.unwrap().get(0)
    }

    /// What work comes to that has to wait for somebody else, who did this in a transaction of their own and
    /// ends it in this way.
    pub(crate) async fn behind<T: Send + 'static>(
        &self,
        change: &str,
        end: &str,
        work: impl Future<Output = T> + Send + 'static,
    ) -> T {
        self.meanwhile(&format!("BEGIN; {change}")).await;
        let work = tokio::spawn(work);
        self.until_waiting(&work).await;
        assert!(!work.is_finished(), "it waits for {change}");
        self.meanwhile(end).await;
        work.await.unwrap()
    }

    /// Begins to place an order, which must not be refused.
    pub(crate) fn placing(&self, order: NewOrder) -> JoinHandle<WrittenOrder> {
        let data = self.data.clone();
        tokio::spawn(async move {
            match data.execute(PlaceOrder(order), None).await.unwrap() {
                Execution::Executed(PlaceOrderOutcome::Placed(written)) => *written,
                other => panic!("the order is placed, not {other:?}"),
            }
        })
    }
}

async fn client(database: &PostgresDatabase) -> Client {
    let (client, connection) = tokio_postgres::connect(&database.url, NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}
