//! Tests that users who write much or wait for locks leave connections to others.

use std::pin::Pin;
use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::join_all;
use pointbook_access::tokens::issue::StoreToken;
use pointbook_catalogue::commands::UpsertProducts;
use pointbook_points::earning::record_activity::RecordActivity;
use pointbook_points::orders::place::PlaceOrder;
use pointbook_store::StoreError;
use pointbook_store::ports::{Database, Execution, PlaceOrderOutcome, TenantData};
use pointbook_store::postgres::PostgresOptions;
use pointbook_testkit::build;
use pointbook_testkit::build::{activity, order, product, recorded, to_record};
use tokio::task::JoinHandle;

use super::fixture::WaitingFixture;

/// More than the number of connections.
const MANY: usize = 40;

/// The most writes of a lane.
const LANE: usize = 256;

/// One instance, whose writes wait for rows longer than a read waits for a connection.
struct Instance {
    fixture: WaitingFixture,
    data: Arc<dyn TenantData>,
    database: Arc<dyn Database>,
    /// Another tenant, whose user u1 has points too.
    neighbour: Arc<dyn TenantData>,
}

impl Instance {
    async fn start() -> Option<Self> {
        let fixture = WaitingFixture::with(product("mug")).await?;
        let options = PostgresOptions { lock_timeout_ms: 60_000, ..PostgresOptions::new(build::noon()) };
        let store = fixture.instance(&options).await;
        let neighbour = build::tenant("neighbour");
        store.insert_tenant(&neighbour, &[]).await.unwrap();
        let (data, neighbour) = (store.tenant(&build::tenant("acme").id), store.tenant(&neighbour.id));
        neighbour.write(UpsertProducts(vec![build::upsert(product("mug"))])).await.unwrap();
        for data in [&data, &neighbour] {
            let rows = ["u1", "u2"].map(|user| recorded(user, activity("s1", 10_000)));
            data.write(build::history(rows.clone())).await.unwrap();
        }
        Some(Self { fixture, data, database: store, neighbour })
    }

    /// The second connection locks users of the tenant until `COMMIT`.
    async fn hold(&self, users: &str) {
        let hold = "BEGIN; SELECT id FROM users WHERE tenant_id = 'acme' AND id LIKE";
        self.fixture.meanwhile(&format!("{hold} '{users}' FOR UPDATE")).await;
    }

    /// Expects that reads and the writes of others succeed while locked users make writes wait.
    async fn expect_free(&self) {
        self.database.ping().await.unwrap();
        assert!(self.data.user(&build::user_id("u1")).await.unwrap().is_some());
        place(self.data.clone(), "free 1", "u2").await;
        self.data
            .execute(RecordActivity::without_end(to_record("u2", activity("free", 1)), build::noon()), None)
            .await
            .unwrap();
        self.data.write(StoreToken(build::token(1, None))).await.unwrap();
        place(self.neighbour.clone(), "free 2", "u1").await;
    }
}

async fn place(data: Arc<dyn TenantData>, id: &str, user: &str) {
    let outcome = data.execute(PlaceOrder::without_end(order(id, user, "mug")), None).await.unwrap();
    assert!(matches!(outcome, Execution::Executed(PlaceOrderOutcome::Placed(_))), "{outcome:?}");
}

/// Starts all work, and returns it when the last piece waits for a lock.
async fn begun<T: Send + 'static>(
    fixture: &WaitingFixture,
    work: impl IntoIterator<Item = impl Future<Output = T> + Send + 'static>,
) -> Vec<JoinHandle<T>> {
    let work: Vec<_> = work.into_iter().map(tokio::spawn).collect();
    fixture.until_waiting(work.last().unwrap()).await;
    work
}

#[tokio::test]
async fn waiting_orders_of_user_do_not_block_reads_and_others() {
    let Some(instance) = Instance::start().await else { return };
    instance.hold("u1").await;
    let data = &instance.data;
    let orders = (0..MANY).map(|number| {
        let data = data.clone();
        async move { place(data, &format!("o{number}"), "u1").await }
    });
    let orders = begun(&instance.fixture, orders).await;
    instance.expect_free().await;
    assert_eq!(instance.fixture.waiting().await, 1, "the other orders must wait in the process");
    assert!(orders.iter().all(|order| !order.is_finished()));
    instance.fixture.meanwhile("COMMIT").await;
    join_all(orders).await.into_iter().for_each(Result::unwrap);
}

/// An import of another instance locks many users like this.
#[tokio::test]
async fn waiting_activities_of_many_users_do_not_block_reads_and_others() {
    let Some(instance) = Instance::start().await else { return };
    let names: Vec<String> = (0..MANY).map(|user| format!("held {user}")).collect();
    let profiles: Vec<_> = names.iter().map(|user| build::profile(user)).collect();
    instance.data.write(build::import(profiles.clone())).await.unwrap();
    instance.hold("held %").await;
    let activities = names.iter().map(|user| {
        let (data, new) = (instance.data.clone(), to_record(user, activity("s1", 1)));
        async move { data.execute(RecordActivity::without_end(new, build::noon()), None).await.unwrap() }
    });
    let activities = begun(&instance.fixture, activities).await;
    instance.expect_free().await;
    assert!(instance.fixture.waiting().await <= 4, "the other activities must wait in the process");
    assert!(activities.iter().all(|activity| !activity.is_finished()));
    instance.fixture.meanwhile("COMMIT").await;
    join_all(activities).await.into_iter().for_each(|activity| drop(activity.unwrap()));
}

type PendingCall<'d> = Pin<Box<dyn Future<Output = Result<(), StoreError>> + Send + 'd>>;

/// Whether the first poll refuses the call.
fn is_refused(call: &mut PendingCall<'_>) -> bool {
    matches!(call.now_or_never(), Some(Err(StoreError::Overloaded)))
}

#[tokio::test]
async fn full_lane_refuses_its_user_but_not_others() {
    let Some(instance) = Instance::start().await else { return };
    let data = &instance.data;
    let order = |user: &str| -> PendingCall<'_> {
        let new = order("o", user, "mug");
        Box::pin(async move { data.execute(PlaceOrder::without_end(new), None).await.map(drop) })
    };
    let record = |user: &str| -> PendingCall<'_> {
        let new = to_record(user, activity("s2", 1));
        Box::pin(async move {
            data.execute(RecordActivity::without_end(new, build::noon()), None).await.map(drop)
        })
    };
    let mut lane: Vec<_> = (0..LANE).map(|_| order("u1")).collect();
    assert!(!lane.iter_mut().any(is_refused));
    assert!(is_refused(&mut order("u1")) && is_refused(&mut record("u1")));
    assert!(!is_refused(&mut order("u2")) && !is_refused(&mut record("u2")));
    drop(lane);
    // The next group drops commands whose callers have left.
    record("u2").await.unwrap();
    order("u1").await.unwrap();
    record("u1").await.unwrap();
}

/// The service looks up a tenant again after each change.
#[tokio::test]
async fn handles_of_same_tenant_share_lanes() {
    let Some(instance) = Instance::start().await else { return };
    let again = instance.database.tenant(&build::tenant("acme").id);
    let order = |data: &Arc<dyn TenantData>| -> PendingCall<'static> {
        let (data, new) = (data.clone(), order("o", "u1", "mug"));
        Box::pin(async move { data.execute(PlaceOrder::without_end(new), None).await.map(drop) })
    };
    let mut lane: Vec<_> = (0..LANE).map(|_| order(&instance.data)).collect();
    assert!(!lane.iter_mut().any(is_refused));
    assert!(is_refused(&mut order(&again)));
}
