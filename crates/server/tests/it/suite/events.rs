//! `GET /v1/manage/events`: the feed.

use std::time::Duration;

use http::Method;
use pointbook_points::audit::ledger::audit_ledger;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use crate::client::Answer;
use crate::harness::TestServer;

const PATH: &str = "/v1/manage/events";

async fn get(server: &TestServer, token: &str, query: &str) -> Answer {
    server.request(Method::GET, &format!("{PATH}{query}"), token).send().await
}

async fn list(server: &TestServer, token: &str, query: &str) -> Value {
    let answer = get(server, token, query).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

fn types(page: &Value) -> Vec<&str> {
    page["data"].as_array().unwrap().iter().map(|event| event["type"].as_str().unwrap()).collect()
}

/// A server, a key of the back office, and the cursor after everything that setting up did.
async fn quiet() -> (TestServer, String, String) {
    let server = TestServer::with_sample().await;
    let token = server.issue_super_user().await;
    let latest = list(&server, &token, "?limit=1").await["meta"]["latest"].as_str().unwrap().to_owned();
    (server, token, latest)
}

#[tokio::test]
async fn a_transaction_is_an_event_with_all_its_members() {
    let (server, token, cursor) = quiet().await;
    let body = json!({"type": "code", "source_id": "s-1", "points": 60, "title": "Scan", "subtitle": "Tea"});
    let path = "/v1/manage/users/ben/activities";
    assert_eq!(server.post(path, &token).json(&body).send().await.status, 201);
    let page = list(&server, &token, &format!("?after={cursor}")).await;
    assert_eq!(types(&page), ["user.created", "transaction.recorded"]);
    let [created, recorded] = [&page["data"][0], &page["data"][1]];
    assert_eq!(created["data"], json!({"user_id": "ben"}));
    let position = recorded["position"].as_u64().unwrap();
    assert_eq!(recorded["id"], format!("evt_1_{position}"));
    assert_eq!(recorded["timestamp"], "2026-03-01T12:00:00.000000Z");
    let rows = server.request(Method::GET, "/v1/manage/users/ben/transactions", &token).send().await.json();
    let mut expected = rows["data"][0].clone();
    expected["user_id"] = json!("ben");
    assert_eq!(recorded["data"], expected);
    assert_eq!(page["meta"]["cursor"], format!("1-{position}"));
    assert_eq!(page["meta"]["latest"], page["meta"]["cursor"]);
    assert_eq!(list(&server, &token, &format!("?after={cursor}")).await, page, "the same again");
}

#[tokio::test]
async fn a_reversal_and_an_order_have_their_types() {
    let (server, token, cursor) = quiet().await;
    server.award(1_000).await;
    let id = server.ordered("cafe", 1).await;
    let rows = server.request(Method::GET, "/v1/manage/users/u1/transactions", &token).send().await.json();
    let scan = rows["data"].as_array().unwrap().iter().find(|row| row["type"] == "code").unwrap();
    let reverse = format!("/v1/manage/users/u1/transactions/{}/reverse", scan["id"].as_str().unwrap());
    let reason = json!({"reason": "By mistake", "partial": true});
    assert_eq!(server.post(&reverse, &token).json(&reason).send().await.status, 201);
    server.post(&format!("/v1/manage/orders/{id}/cancel"), &token).send().await;
    let page = list(&server, &token, &format!("?after={cursor}&user=u1")).await;
    let expected = [
        "transaction.recorded",
        "order.placed",
        "transaction.recorded",
        "transaction.reversed",
        "transaction.recorded",
        "order.cancelled",
    ];
    assert_eq!(types(&page), expected);
    assert_eq!(page["data"][1]["data"], json!({"user_id": "u1", "order_id": id}));
    let orders = list(&server, &token, &format!("?after={cursor}&types=order.placed,order.cancelled")).await;
    assert_eq!(types(&orders), ["order.placed", "order.cancelled"]);
}

#[tokio::test]
async fn a_reader_that_follows_the_cursor_sees_every_transaction_once() {
    let (server, token, _) = quiet().await;
    for number in 0..25 {
        server.issue_with_points(&format!("u{}", number % 3), 10).await;
    }
    let (mut after, mut seen) = (String::new(), Vec::new());
    loop {
        let page = list(&server, &token, &format!("?limit=7&types=transaction.recorded{after}")).await;
        for event in page["data"].as_array().unwrap() {
            let data = &event["data"];
            seen.push((data["user_id"].as_str().unwrap().to_owned(), data["seq"].as_u64().unwrap()));
        }
        after = format!("&after={}", page["meta"]["cursor"].as_str().unwrap());
        if page["meta"]["cursor"] == page["meta"]["latest"] {
            break;
        }
    }
    let mut distinct = seen.clone();
    distinct.sort();
    distinct.dedup();
    assert_eq!(distinct.len(), seen.len());
    let report = audit_ledger(&*server.production().data, |_| {}).await.unwrap();
    assert_eq!(report.transactions, seen.len() as u64);
}

#[tokio::test]
async fn a_waiting_reader_gets_the_next_event() {
    let (server, token, cursor) = quiet().await;
    let path = format!("{PATH}?after={cursor}&wait=20");
    let waiting = tokio::spawn(server.request(Method::GET, &path, &token).send());
    sleep(Duration::from_millis(100)).await;
    assert!(!waiting.is_finished());
    server.request(Method::PUT, "/v1/manage/users/ben", &token).json(&json!({})).send().await;
    assert_eq!(types(&waiting.await.unwrap().json()), ["user.created"]);
    // A second is over without an event.
    let begun = Instant::now();
    let empty = list(
        &server,
        &token,
        &format!("?wait=1&after={}", {
            let page = list(&server, &token, &format!("?after={cursor}")).await;
            page["meta"]["cursor"].as_str().unwrap().to_owned()
        }),
    )
    .await;
    assert_eq!(types(&empty), [""; 0]);
    assert!(begun.elapsed() >= Duration::from_secs(1));
}

#[tokio::test]
async fn another_instance_reads_the_same_events() {
    let (server, token, cursor) = quiet().await;
    server.request(Method::PUT, "/v1/manage/users/ben", &token).json(&json!({})).send().await;
    let page = list(&server, &token, &format!("?after={cursor}")).await;
    let other = server.second_instance().await;
    let path = format!("{PATH}?after={cursor}");
    let answer = other.request(Method::GET, &path, &token).send().await;
    assert_eq!(answer.json(), page);
}

#[tokio::test]
async fn old_events_go_and_their_cursor_is_gone() {
    let (server, token, cursor) = quiet().await;
    server.set("event_days", "1").await;
    server.request(Method::PUT, "/v1/manage/users/ben", &token).json(&json!({})).send().await;
    server.advance_seconds(2 * 86_400);
    server.request(Method::PUT, "/v1/manage/users/new", &token).json(&json!({})).send().await;
    server.run_job("clean-events").await;
    let gone = get(&server, &token, &format!("?after={cursor}")).await;
    assert_eq!((gone.status.as_u16(), &gone.json()["code"]), (410, &json!("cursor_gone")));
    let earliest = gone.json()["earliest"].as_str().unwrap().to_owned();
    let page = list(&server, &token, &format!("?after={earliest}")).await;
    assert_eq!((types(&page), &page["data"][0]["data"]["user_id"]), (vec!["user.created"], &json!("new")));
    assert_eq!(list(&server, &token, "").await["data"], page["data"], "without a cursor too");
}

#[tokio::test]
async fn bad_parameters_are_named_and_unknown_cursors_are_gone() {
    let (server, token, _) = quiet().await;
    let refused = get(&server, &token, "?after=x&types=a,order.placed&user=&limit=0&wait=31").await;
    let fields: Vec<_> =
        refused.field_errors().iter().map(|line| line.split_once(':').unwrap().0.to_owned()).collect();
    assert_eq!(fields, ["after", "limit", "wait"], "{}", refused.text());
    for cursor in ["2-0", "1-99999"] {
        assert_eq!(get(&server, &token, &format!("?after={cursor}")).await.status, 410, "{cursor}");
    }
}
