//! Many concurrent requests for the same thing, each on its own connection.

use std::collections::HashMap;
use std::sync::Arc;

use http::StatusCode;
use serde_json::{Value, json};
use tokio::sync::{Barrier, Semaphore};
use tokio::task::JoinSet;

use crate::client::{Answer, Call};
use crate::harness::{TestServer, crowd, patient_limits};

/// How many connections are open at once: 2,000, or what the limit of open files allows. Each takes a
/// file on either side.
fn max_connections() -> usize {
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let files = limits.lines().find_map(|line| line.strip_prefix("Max open files"));
    let files: usize = files.and_then(|rest| rest.split_whitespace().next()?.parse().ok()).unwrap_or(1_024);
    (files.saturating_sub(200) / 2).clamp(100, 2_000)
}

pub(crate) async fn server() -> TestServer {
    let limits = pointbook_http::kernel::HttpLimits { max_concurrent_requests: 4_096, ..patient_limits() };
    TestServer::start_with(limits, |database| database).await
}

/// Sends all requests as concurrently as possible. A request that finds the queue full is retried after its
/// `Retry-After`.
pub(super) async fn race(calls: Vec<Call>) -> Vec<Answer> {
    let at_once = max_connections().min(calls.len());
    let (connections, start) = (Arc::new(Semaphore::new(at_once)), Arc::new(Barrier::new(at_once)));
    let mut running = JoinSet::new();
    for (place, call) in calls.into_iter().enumerate() {
        let (connections, start) = (connections.clone(), start.clone());
        running.spawn(async move {
            let _connection = connections.acquire_owned().await.unwrap();
            if place < at_once {
                start.wait().await;
            }
            decided(call).await
        });
    }
    running.join_all().await
}

async fn decided(call: Call) -> Answer {
    loop {
        let answer = call.clone().send().await;
        if answer.status != StatusCode::SERVICE_UNAVAILABLE {
            return answer;
        }
        assert_eq!(answer.header("retry-after"), Some("1"));
        tokio::task::yield_now().await;
    }
}

/// How often each status came.
pub(super) fn statuses(answers: &[Answer]) -> HashMap<u16, usize> {
    answers.iter().fold(HashMap::new(), |mut counts, answer| {
        *counts.entry(answer.status.as_u16()).or_default() += 1;
        counts
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn stock_of_100_is_sold_100_times() {
    let (server, many) = (server().await, crowd(2_000));
    server.add_changed_product("rare", |product| product.stock = Some(100)).await;
    let mut calls = Vec::new();
    for user in 0..many {
        let token = server.issue_with_points(&format!("user-{user}"), 500).await;
        let order = server.post("/v1/store/orders", &token).json(&json!({"product_id": "rare"}));
        // A client that lost a response retries with its key, as each of these requests does.
        calls.push(order.key("first-order"));
    }
    let answers = race(calls).await;
    assert_eq!(statuses(&answers), HashMap::from([(201, 100), (422, many - 100)]));
    let sold_out = json!({"product_id": ["The selected product is sold out."]});
    let refused = answers.iter().filter(|answer| answer.status == 422);
    assert!(refused.map(Answer::json).all(|body| body["errors"] == sold_out));
    assert_eq!(server.total_of_orders().await, 100);
    let product = server.managed("/v1/manage/products/rare").await;
    assert_eq!((&product["stock"], &product["reserved"]), (&json!(0), &json!(100)));
    server.assert_audit_is_clean().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn full_queue_refuses_requests_and_loses_none() {
    let server = server().await;
    let back_office = server.issue_super_user().await;
    let lock = server.lock().await;
    let mut running = JoinSet::new();
    for place in 0..600 {
        let scan = json!({"type": "code", "source_id": format!("c-{place}"), "points": 1, "title": "Scan"});
        running.spawn(server.post("/v1/manage/users/u1/activities", &back_office).json(&scan).send());
    }
    let refused = running.join_next().await.unwrap().unwrap();
    assert_eq!((refused.status.as_u16(), refused.header("retry-after")), (503, Some("1")));
    drop(lock);
    let answers = statuses(&running.join_all().await);
    let count = |status: u16| answers.get(&status).copied().unwrap_or_default();
    assert_eq!(count(201) + count(503), 599, "{answers:?}");
    assert_eq!(server.balance().await, i64::try_from(count(201)).unwrap());
    server.assert_audit_is_clean().await;
}

/// Reads of a back office, to check the result of a race.
impl TestServer {
    /// The `data` of a read.
    async fn managed(&self, path: &str) -> Value {
        let back_office = self.issue_super_user().await;
        let answer = self.request(http::Method::GET, path, &back_office).send().await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()["data"].take()
    }

    /// How many orders production has.
    pub(super) async fn total_of_orders(&self) -> u64 {
        let back_office = self.issue_super_user().await;
        let answer = self.request(http::Method::GET, "/v1/manage/orders", &back_office).send().await;
        answer.json()["meta"]["total"].as_u64().unwrap()
    }
}
