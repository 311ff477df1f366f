//! Tests only for SQLite: there one thread writes for all requests, and its queue is bounded. PostgreSQL decides which writes
//! wait; `suite::races` has the tests for both.

use std::time::Duration;

use pointbook_testkit::postgres::Setup;
use serde_json::json;
use tokio::task::JoinSet;

use crate::harness::{TestServer, setup};
use crate::suite::races;

/// 256 writes wait and as many are with the writer. The others get 503 with Retry-After at once.
#[tokio::test(flavor = "multi_thread")]
async fn queue_takes_512_of_600_writes_and_refuses_88() {
    if setup() != Setup::Sqlite {
        return;
    }
    let server = races::server().await;
    let back_office = server.issue_super_user().await;
    let activity = |user: &str, place: u32| {
        let scan = json!({"type": "code", "source_id": format!("c-{place}"), "points": 1, "title": "Scan"});
        server.post(&format!("/v1/manage/users/{user}/activities"), &back_office).json(&scan)
    };
    let lock = server.lock().await;
    let mut running = JoinSet::new();
    for place in 0..600 {
        running.spawn(activity("u1", place).send());
    }
    for _ in 0..600 - 2 * 256 {
        let refused = running.join_next().await.unwrap().unwrap();
        assert_eq!((refused.status.as_u16(), refused.header("retry-after")), (503, Some("1")));
    }
    let other = tokio::spawn(activity("u2", 0).send());
    drop(lock);
    assert_eq!(other.await.unwrap().status, 201);
    let recorded = running.join_all().await.iter().filter(|answer| answer.status == 201).count();
    assert!(recorded >= 256, "{recorded}");
}

/// Tables that the file needs for every response. While they are renamed, all queries of them fail.
const TABLES: [&str; 7] =
    ["schema_migrations", "tenants", "tokens", "products", "category_trees", "transactions", "users"];

async fn rename(server: &TestServer, from: &str, to: &str) {
    let renamed = TABLES.map(|table| format!("ALTER TABLE {from}{table} RENAME TO {to}{table};"));
    server.lock().await.execute(&(renamed.concat() + "COMMIT")).await;
    server.service().check_database(Duration::from_secs(10)).await;
}

#[tokio::test]
async fn reads_from_memory_go_on_while_the_file_cannot_be_read() {
    if setup() != Setup::Sqlite {
        return;
    }
    let server = TestServer::with_sample().await;
    let from_memory = ["/v1/store/products", "/v1/store/categories"];
    let mut before = Vec::new();
    for path in from_memory {
        before.push(server.get(path).await);
    }
    let unseen = server.issue("u2").await;
    rename(&server, "", "away_").await;
    for (path, before) in from_memory.iter().zip(&before) {
        let answer = server.get(path).await;
        assert_eq!((answer.status.as_u16(), answer.text()), (200, before.text()));
        assert_eq!(answer.header("warning"), Some("110 - \"Response is Stale\""));
    }
    let history = server.get("/v1/user/point-history").await;
    assert!(history.status.is_server_error(), "{}", history.text());
    let unknown = server.call(from_memory[0]).bearer(&unseen).send().await;
    assert_eq!(unknown.status, 503, "it is not known whether the token is good");
    let ready = server.call_at("/readyz").send().await;
    assert_eq!(
        (ready.status.as_u16(), ready.json()),
        (200, json!({"status": "degraded", "database": "away"}))
    );
    assert_eq!(server.call_at("/readyz/writes").send().await.status, 503);

    rename(&server, "away_", "").await;
    let back = server.get(from_memory[0]).await;
    assert_eq!((back.text(), back.header("warning")), (before[0].text(), None));
    assert_eq!(server.get("/v1/user/point-history").await.status, 200);
    assert_eq!(server.call_at("/readyz").send().await.json(), json!({"status": "ok"}));
}
