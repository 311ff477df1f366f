//! When requests see a change of the catalogue by this process, also after failures.

use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use http::Method;
use pointbook_catalogue::cache::{CatalogueCache, snapshot};
use pointbook_catalogue::commands::UpsertProducts;
use pointbook_domain::{Product, Quantity, Timestamp};
use pointbook_points::orders::place::{PlaceOrder, place_order};
use pointbook_store::ports::{Execution, PlaceOrderOutcome, ProductUpsert};
use pointbook_store::{Actor, Context, ServedTenant};
use pointbook_testkit::build::{product, product_id, upsert, user_id};
use pointbook_testkit::{Fault, FaultyDatabase, WriteFault, build};
use serde_json::json;
use tokio::time::{Instant, timeout};

use crate::client::Answer;
use crate::harness::TestServer;

/// A server whose database can be made to fail, with production's catalogue in memory.
struct Shop {
    server: TestServer,
    office: String,
    faulty: Arc<FaultyDatabase>,
}

impl Shop {
    async fn open() -> Self {
        let (server, office, faulty) = TestServer::with_faults().await;
        server.award(1_000).await;
        let shop = Self { server, office, faulty };
        assert_eq!(shop.listed().await, [""; 0]);
        shop
    }

    fn tenant(&self) -> Arc<ServedTenant> {
        self.server.production()
    }

    fn now(&self) -> Timestamp {
        self.server.service().clock.now()
    }

    async fn put(&self, id: &str) -> Answer {
        let body = json!({"sku": id, "title": id, "regular_price": 10});
        let path = format!("/v1/manage/products/{id}");
        self.server.request(Method::PUT, &path, &self.office).json(&body).send().await
    }

    /// The ids of the products that customers see, sorted.
    async fn listed(&self) -> Vec<String> {
        let mut ids = self.server.get("/v1/store/products").await.ids();
        ids.sort();
        ids
    }

    async fn count_at(&self, now: Timestamp) -> usize {
        snapshot(&self.tenant(), now).await.unwrap().product_count()
    }

    /// Puts a product without the service, and notes the change at this time.
    async fn put_at(&self, product: Product, now: Timestamp) {
        self.tenant().data.write(UpsertProducts(vec![upsert(product)])).await.unwrap();
        self.tenant().state::<CatalogueCache>().note_change(now);
    }

    fn hold_loads(&self, is_held: bool) {
        let id = &self.tenant().tenant.id;
        self.faulty.hold_loads_of(is_held.then_some(id));
    }
}

/// Whether the first poll of the future completes it.
async fn is_ready<F: Future>(future: std::pin::Pin<&mut F>) -> bool {
    let mut future = future;
    poll_fn(|context| Poll::Ready(future.as_mut().poll(context).is_ready())).await
}

/// Requests may load the catalogue in another order than they began.
#[tokio::test]
async fn older_request_does_not_hide_a_published_product() {
    let shop = Shop::open().await;
    let (older, newer) = (shop.now(), shop.now().plus_seconds(1));
    shop.put_at(Product { published_at: newer, ..product("a") }, older).await;
    assert_eq!(shop.count_at(older).await, 0);
    shop.put_at(product("b"), newer).await;
    assert_eq!(shop.count_at(newer).await, 2);
    shop.put_at(product("c"), older).await;
    assert_eq!(shop.count_at(older).await, 3);
}

#[tokio::test]
async fn corrected_clock_decides_what_is_published() {
    let shop = Shop::open().await;
    let (right, wrong) = (shop.now(), shop.now().plus_seconds(86_400));
    shop.put_at(Product { published_at: wrong, ..product("a") }, wrong).await;
    assert_eq!(shop.count_at(wrong).await, 1);
    shop.server.sync_with_database().await;
    assert_eq!(shop.count_at(right).await, 0);
}

#[tokio::test]
async fn a_reader_waits_for_a_change_that_is_being_loaded() {
    let shop = Shop::open().await;
    shop.hold_loads(true);
    let before = shop.faulty.loads();
    assert_eq!(shop.put("a").await.status, 201, "a writer waits for no snapshot");
    shop.faulty.next_load(before).await;
    {
        let tenant = shop.tenant();
        let mut reader = pin!(snapshot(&tenant, shop.now()));
        assert!(!is_ready(reader.as_mut()).await, "the change is not there yet");
        shop.hold_loads(false);
        assert_eq!(reader.await.unwrap().product_count(), 1);
    }
    assert_eq!(shop.listed().await, ["a"]);
}

#[tokio::test]
async fn changes_that_come_during_a_load_share_the_next_one() {
    let shop = Shop::open().await;
    shop.hold_loads(true);
    let before = shop.faulty.loads();
    assert_eq!(shop.put("a").await.status, 201);
    shop.faulty.next_load(before).await;
    for id in ["b", "c", "d", "e"] {
        assert_eq!(shop.put(id).await.status, 201);
    }
    shop.hold_loads(false);
    assert_eq!(shop.listed().await, ["a", "b", "c", "d", "e"]);
    // The second load is that of one of these requests, or the second round of the first load.
    assert_eq!(shop.faulty.loads() - before, 2);
}

#[tokio::test]
async fn old_catalogue_is_served_until_a_change_can_be_loaded() {
    let shop = Shop::open().await;
    for fault in [Fault::Unavailable, Fault::Panic] {
        shop.faulty.fail_catalogue_version(Some(fault));
        assert_eq!(shop.put("a").await.status.as_u16() / 100, 2);
        assert_eq!(shop.listed().await, [""; 0], "{fault:?}");
    }
    shop.faulty.fail_catalogue_version(None);
    shop.server.sync_with_database().await;
    assert_eq!(shop.listed().await, ["a"]);
}

#[tokio::test]
async fn old_catalogue_is_served_when_a_load_takes_too_long() {
    let shop = Shop::open().await;
    shop.hold_loads(true);
    let before = shop.faulty.loads();
    assert_eq!(shop.put("a").await.status, 201);
    // From here on, the load waits only for this test, not for a server whose time goes on.
    shop.faulty.next_load(before).await;
    tokio::time::pause();
    let started = Instant::now();
    // Three requests that give up earlier do not restart the time limit.
    for _ in 0..3 {
        assert!(timeout(Duration::from_secs(1), shop.count_at(shop.now())).await.is_err());
    }
    assert_eq!(shop.count_at(shop.now()).await, 0);
    assert!(
        started.elapsed() <= Duration::from_secs(5) + Duration::from_millis(10),
        "{:?}",
        started.elapsed()
    );
    let given_up = Instant::now();
    assert_eq!(shop.count_at(shop.now()).await, 0);
    assert_eq!(given_up.elapsed(), Duration::ZERO, "the next one does not wait again");
    tokio::time::resume();
    shop.hold_loads(false);
    shop.put_at(product("b"), shop.now()).await;
    assert_eq!(shop.listed().await, ["a", "b"]);
}

#[tokio::test]
async fn a_change_does_not_wait_for_the_orders_to_be_counted() {
    let shop = Shop::open().await;
    shop.server.advance_seconds(600);
    shop.faulty.fail_most_ordered(Some(Fault::Hang));
    shop.put("a").await;
    assert_eq!(shop.listed().await, ["a"], "a change asks for no count");
    // From here on, a count hangs: this one, or one that the request started.
    let mut counting = pin!(shop.server.sync_with_database());
    tokio::select! {
        biased;
        () = counting.as_mut() => {}
        () = std::future::ready(()) => {}
    }
    shop.put("b").await;
    assert_eq!(shop.listed().await, ["a", "b"], "nor does it wait for one");
}

#[tokio::test]
async fn a_catalogue_is_loaded_and_refreshed_though_the_orders_cannot_be_counted() {
    let (server, _, faulty) = TestServer::with_faults().await;
    server.add_changed_product("mug", |mug| mug.stock = None).await;
    server.award(1_000).await;
    let popular = async || server.get("/v1/store/products?filter[onlyPopular]=1").await.ids();
    faulty.fail_most_ordered(Some(Fault::Fail));
    assert_eq!(popular().await, [""; 0]);
    faulty.fail_most_ordered(None);
    server.ordered("mug", 1).await;
    server.sync_with_database().await;
    assert_eq!(popular().await, ["mug"]);
    faulty.fail_most_ordered(Some(Fault::Fail));
    server.advance_seconds(600);
    server.add_product_elsewhere("cup").await;
    server.sync_with_database().await;
    assert_eq!(popular().await, ["mug"], "the last answer holds");
    assert_eq!(server.get("/v1/store/products").await.ids().len(), 2);
}

#[tokio::test]
async fn sold_out_product_shows_after_a_lost_response_and_its_replay() {
    let shop = Shop::open().await;
    shop.put_at(Product { stock: Some(6), ..product("mug") }, shop.now()).await;
    let low = async || shop.server.get("/v1/store/products?filter[lowStock]=1").await.ids();
    assert_eq!(low().await, [""; 0]);
    let order = || {
        let order = shop.server.post("/v1/store/orders", shop.server.token()).key("k");
        order.json(&json!({"product_id": "mug"})).send()
    };
    shop.faulty.fail_next_write(Some(WriteFault::AnswerLost));
    assert_eq!(order().await.status, 503);
    assert_eq!(low().await, ["mug"], "the order may stand");
    assert_eq!(order().await.header("idempotency-replayed"), Some("true"));
    assert_eq!(low().await, ["mug"]);
}

/// The first request may have ended before its commit, and then noted the change too early.
#[tokio::test]
async fn a_replay_shows_what_the_first_request_did() {
    let shop = Shop::open().await;
    let (tenant, now) = (shop.tenant(), shop.now());
    shop.put_at(Product { stock: Some(1), ..product("mug") }, now).await;
    shop.server.set("hide_sold_out", "true").await;
    assert_eq!(shop.listed().await, ["mug"]);
    let once = || build::once(build::request_key("k", 1), now);
    let order = build::order("o1", "u1", "mug");
    let first = tenant.data.execute(PlaceOrder::without_end(order), once()).await.unwrap();
    assert!(matches!(first, Execution::Executed(PlaceOrderOutcome::Placed(_))), "{first:?}");
    assert_eq!(shop.listed().await, ["mug"], "no process noted it");
    let context = build::context(&tenant, Actor::Customer(user_id("u1")), now);
    let context = Context { once: once(), ..context };
    let again = place_order(&context, product_id("mug"), Quantity::ONE).await;
    assert!(matches!(again, Ok(Execution::Replayed(_))), "{again:?}");
    assert_eq!(shop.listed().await, [""; 0]);
}

/// The other process does not know the new threshold yet, so by the old one it would see no change of class.
#[tokio::test]
async fn an_order_in_another_process_shows_by_the_threshold_that_was_just_set() {
    let shop = Shop::open().await;
    shop.put_at(Product { stock: Some(9), ..product("mug") }, shop.now()).await;
    let elsewhere = shop.server.production_elsewhere().await;
    shop.server.set("low_stock_threshold", "8").await;
    let low = async || shop.server.get("/v1/store/products?filter[lowStock]=1").await.ids();
    assert_eq!(low().await, [""; 0]);
    let context = build::context(&elsewhere, Actor::Customer(user_id("u1")), shop.now());
    place_order(&context, product_id("mug"), Quantity::ONE).await.unwrap();
    shop.server.sync_with_database().await;
    assert_eq!(low().await, ["mug"]);
}

/// When a base has too many changes on top, the server builds a new base while it serves requests.
#[tokio::test]
async fn every_change_shows_while_the_catalogue_is_compacted() {
    let shop = Shop::open().await;
    let (tenant, now) = (shop.tenant(), shop.now());
    let numbered = |number: usize| upsert(Product { stock: None, ..product(&format!("p{number}")) });
    let put = async |products: Vec<ProductUpsert>| {
        tenant.data.write(UpsertProducts(products)).await.unwrap();
        tenant.state::<CatalogueCache>().note_change(now);
        snapshot(&tenant, now).await.unwrap()
    };
    assert_eq!(put((0..2_800).map(numbered).collect()).await.product_count(), 2_800);
    let mut snapshot = put((2_800..3_400).map(numbered).collect()).await;
    let mut count = 3_400;
    while snapshot.is_worth_compacting() {
        snapshot = put(vec![numbered(count)]).await;
        count += 1;
        assert_eq!(snapshot.product_count(), count);
    }
    assert!(snapshot.product("p0").is_some() && snapshot.product("p3399").is_some());
}
