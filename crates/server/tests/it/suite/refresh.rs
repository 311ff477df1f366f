//! Changes by another process, and the caches of this one.

use std::sync::Arc;
use std::time::Duration;

use pointbook_catalogue::cache::{evict, snapshot};
use pointbook_catalogue::commands::UpsertProducts;
use pointbook_domain::{TenantName, Timestamp};
use pointbook_store::ServedTenant;
use pointbook_testkit::build::{product, upsert};
use pointbook_testkit::{Fault, FaultyDatabase};
use tokio::time::Instant;

use crate::harness::{STAGING_PATH, TestServer};

#[tokio::test]
async fn a_product_appears_when_its_publication_comes() {
    let server = TestServer::with_sample().await;
    assert_eq!(server.get("/v1/store/products/tomorrow").await.status, 404);
    server.advance_seconds(86_400);
    assert_eq!(server.get("/v1/store/products/tomorrow").await.status, 200);
    assert_eq!(server.get("/v1/store/products").await.ids()[0], "tomorrow");
}

#[tokio::test]
async fn a_tenant_added_by_another_process_is_served_after_a_refresh() {
    let server = TestServer::start().await;
    assert_eq!(server.call_at("/late/api/v1/store/products").send().await.status, 404);
    server.add_tenant_elsewhere("late").await;
    server.service().refresh().await.unwrap();
    assert_eq!(server.call_at("/late/api/v1/store/products").send().await.status, 401);
}

#[tokio::test]
async fn the_least_recently_used_catalogue_leaves_and_comes_back() {
    let server = TestServer::with_sample().await;
    assert_eq!(server.get("/v1/store/products").await.json()["meta"]["total"], 7);
    let token = server.issue_in_staging("u1").await;
    server.advance_seconds(1);
    let staging = format!("{STAGING_PATH}/v1/store/products");
    assert_eq!(server.call_at(&staging).bearer(&token).send().await.status, 200);
    evict(server.service());
    assert_eq!(server.loaded_catalogues(), ["shop/staging"], "the budget of these tests holds one snapshot");
    assert_eq!(server.get("/v1/store/products").await.json()["meta"]["total"], 7);
}

async fn with_holdable_loads() -> (TestServer, Arc<FaultyDatabase>) {
    let mut kept = None;
    let server = TestServer::start_on(|database| {
        let database = Arc::new(FaultyDatabase::healthy(database));
        kept = Some(database.clone());
        database
    });
    let server = server.await;
    (server, kept.unwrap())
}

fn find(server: &TestServer, name: &str) -> Arc<ServedTenant> {
    server.service().directory().find(&TenantName::parse(name).unwrap()).unwrap().clone()
}

#[tokio::test]
async fn load_goes_on_when_its_request_is_cancelled() {
    let (server, database) = with_holdable_loads().await;
    let production = find(&server, "shop");
    let (now, before) = (server.service().clock.now(), database.loads());
    database.hold_loads_of(Some(&production.tenant.id));
    tokio::select! {
        _ = snapshot(&production, now) => panic!("a held load ended"),
        () = database.next_load(before) => {}
    }
    database.hold_loads_of(None);
    snapshot(&production, now).await.unwrap();
    assert_eq!(database.loads() - before, 1, "the second request waits for the first one's load");
}

#[tokio::test]
async fn slow_load_of_a_tenant_does_not_block_others() {
    let (server, database) = with_holdable_loads().await;
    let (production, staging) = (find(&server, "shop"), find(&server, "shop/staging"));
    let now = server.service().clock.now();
    snapshot(&production, now).await.unwrap();
    snapshot(&staging, now.plus_seconds(1)).await.unwrap();
    production.data.write(UpsertProducts(vec![upsert(product("p"))])).await.unwrap();
    database.hold_loads_of(Some(&production.tenant.id));
    let (later, before) = (now.plus_seconds(2), database.loads());
    let slow = tokio::spawn({
        let production = production.clone();
        async move { snapshot(&production, later).await.unwrap().product_count() }
    });
    database.next_load(before).await;
    staging.data.write(UpsertProducts(vec![upsert(product("s"))])).await.unwrap();
    let quick = tokio::time::timeout(Duration::from_secs(10), snapshot(&staging, later)).await;
    assert_eq!(quick.unwrap().unwrap().product_count(), 1);
    assert_eq!(slow.await.unwrap(), 0, "the old catalogue answers when a check takes long");
    database.hold_loads_of(None);
}

/// The server uses a snapshot of this age and checks it in the background.
#[tokio::test]
async fn a_request_waits_for_no_check_while_the_last_one_is_younger_than_a_second() {
    let (server, database) = with_holdable_loads().await;
    let production = find(&server, "shop");
    let now = server.service().clock.now();
    snapshot(&production, now).await.unwrap();
    production.data.write(UpsertProducts(vec![upsert(product("p"))])).await.unwrap();
    let after_ms = |ms: i64| Timestamp::from_micros(now.as_micros() + ms * 1_000).unwrap();
    let (count_at, before) =
        (async |ms| snapshot(&production, after_ms(ms)).await.unwrap().product_count(), database.loads());
    assert_eq!(count_at(499).await, 0);
    assert_eq!((count_at(500).await, count_at(999).await), (0, 0));
    database.next_load(before).await;
    assert_eq!(count_at(1_000).await, 1);
    assert_eq!(database.loads() - before, 1, "the check that was begun beside a request found the change");
}

#[tokio::test]
async fn requests_wait_together_and_once_for_a_database_that_is_silent() {
    let (server, database) = with_holdable_loads().await;
    let production = find(&server, "shop");
    let now = server.service().clock.now();
    snapshot(&production, now).await.unwrap();
    database.fail_catalogue_version(Some(Fault::Hang));
    tokio::time::pause();
    let begun = Instant::now();
    let later = now.plus_seconds(1);
    let (one, other) = tokio::join!(snapshot(&production, later), snapshot(&production, later));
    assert!(one.is_ok() && other.is_ok());
    let waited = begun.elapsed();
    assert!((1_000..1_010).contains(&waited.as_millis()), "{waited:?}");
    snapshot(&production, later).await.unwrap();
    assert_eq!(begun.elapsed(), waited, "the next request does not wait");
}
