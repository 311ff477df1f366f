//! Changes by another process, and what is kept in memory.

use std::sync::Arc;
use std::time::Duration;

use pointbook_app::ServedTenant;
use pointbook_domain::TenantName;
use pointbook_testkit::FaultyDatabase;
use pointbook_testkit::build::{product, upsert};

use crate::harness::{STAGING_PATH, TestServer};

#[tokio::test]
async fn a_catalogue_write_by_another_process_is_seen_after_a_refresh() {
    let server = TestServer::with_sample().await;
    assert_eq!(server.get("/v1/store/products").await.json()["meta"]["total"], 7);
    server.add_product_elsewhere("from-elsewhere").await;
    server.service().refresh().await.unwrap();
    assert_eq!(server.get("/v1/store/products").await.json()["meta"]["total"], 8);
    assert_eq!(server.get("/v1/store/products/from-elsewhere").await.status, 200);
}

#[tokio::test]
async fn a_product_appears_when_its_publication_comes() {
    let server = TestServer::with_sample().await;
    assert_eq!(server.get("/v1/store/products/tomorrow").await.status, 404);
    server.advance_seconds(86_400);
    server.service().refresh().await.unwrap();
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
    server.service().refresh().await.unwrap();
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
async fn a_load_goes_on_when_the_request_that_began_it_is_given_up() {
    let (server, database) = with_holdable_loads().await;
    let production = find(&server, "shop");
    let (now, before) = (server.service().clock.now(), database.loads());
    database.hold_loads_of(Some(&production.tenant.id));
    tokio::select! {
        _ = production.snapshot(now) => panic!("a held load ended"),
        () = database.next_load(before) => {}
    }
    database.hold_loads_of(None);
    production.snapshot(now).await.unwrap();
    assert_eq!(database.loads() - before, 1, "the second request waits for the first one's load");
}

#[tokio::test]
async fn a_tenant_that_loads_slowly_holds_up_no_other() {
    let (server, database) = with_holdable_loads().await;
    let (production, staging) = (find(&server, "shop"), find(&server, "shop/staging"));
    let now = server.service().clock.now();
    production.snapshot(now).await.unwrap();
    staging.snapshot(now.plus_seconds(1)).await.unwrap();
    production.data.upsert_products(&[upsert(product("p"))]).await.unwrap();
    database.hold_loads_of(Some(&production.tenant.id));
    let before = database.loads();
    let rounds = async {
        database.next_load(before).await;
        staging.data.upsert_products(&[upsert(product("s"))]).await.unwrap();
        // The held round may still be looking at this tenant too; then the next one finds the change.
        while staging.snapshot(now).await.unwrap().product_count() == 0 {
            server.service().refresh().await.unwrap();
        }
    };
    let rounds = tokio::time::timeout(Duration::from_secs(10), rounds);
    tokio::select! {
        _ = server.service().refresh() => panic!("a held round ended"),
        ended = rounds => ended.unwrap(),
    }
    assert_eq!(staging.snapshot(now).await.unwrap().product_count(), 1);
}
