//! Many concurrent requests for the same thing, split between two instances on one database.

use std::collections::HashMap;

use serde_json::json;

use super::races::{race, server, statuses};
use crate::client::{Answer, Call};
use crate::harness::TestServer;

/// Two instances, each with enough permits for all requests.
async fn pair() -> (TestServer, TestServer) {
    let one = server().await;
    let other = one.second_instance().await;
    (one, other)
}

/// Sends this many copies of a request to each instance.
async fn race_on(pair: [&TestServer; 2], copies: usize, call: impl Fn(&TestServer) -> Call) -> Vec<Answer> {
    race((0..copies).flat_map(|_| pair.map(&call)).collect()).await
}

#[tokio::test(flavor = "multi_thread")]
async fn balance_for_7_orders_gives_7_on_two_instances() {
    let (one, other) = pair().await;
    one.add_changed_product("mug", |product| product.stock = None).await;
    one.award(7 * 500 + 499).await;
    let order = |server: &TestServer| {
        server.post("/v1/store/orders", server.token()).json(&json!({"product_id": "mug"}))
    };
    let answers = race_on([&one, &other], 50, order).await;
    assert_eq!(statuses(&answers), HashMap::from([(201, 7), (422, 93)]));
    assert_eq!((one.total_of_orders().await, other.balance().await), (7, 499));
    one.assert_audit_is_clean().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_key_is_one_order_on_two_instances() {
    let (one, other) = pair().await;
    one.add_changed_product("mug", |product| product.stock = Some(300)).await;
    one.award(1_000_000).await;
    let order = |server: &TestServer| {
        server.post("/v1/store/orders", server.token()).json(&json!({"product_id": "mug"})).key("k")
    };
    let answers = race_on([&one, &other], 50, order).await;
    assert_eq!(statuses(&answers), HashMap::from([(201, 100)]));
    assert!(answers.iter().all(|answer| answer.body == answers[0].body));
    assert_eq!((one.total_of_orders().await, other.balance().await), (1, 999_500));
    one.assert_audit_is_clean().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn copies_of_an_activity_are_recorded_once_on_two_instances() {
    let (one, other) = pair().await;
    let office = one.issue_super_user().await;
    let record = |server: &TestServer| {
        let scan = json!({"type": "code", "source_id": "c-1", "points": 50, "title": "Scan"});
        server.post("/v1/manage/users/new/activities", &office).json(&scan)
    };
    let answers = race_on([&one, &other], 100, record).await;
    assert_eq!(statuses(&answers), HashMap::from([(201, 1), (200, 199)]));
    assert!(answers.iter().all(|answer| answer.body == answers[0].body));
    one.assert_audit_is_clean().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_activity_counts_once_on_two_instances() {
    let (one, other) = pair().await;
    let office = one.issue_super_user().await;
    let activity = |server: &TestServer, place: usize| {
        let scan = json!({"type": "code", "source_id": format!("c-{place}"), "points": 1, "title": "Scan"});
        server.post("/v1/manage/users/u1/activities", &office).json(&scan)
    };
    let calls = (0..200).map(|place| activity(if place % 2 == 0 { &one } else { &other }, place));
    assert_eq!(statuses(&race(calls.collect()).await), HashMap::from([(201, 200)]));
    assert_eq!((one.balance().await, other.balance().await), (200, 200));
    one.assert_audit_is_clean().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn stock_of_10_is_sold_10_times_on_two_instances() {
    let (one, other) = pair().await;
    one.add_changed_product("rare", |product| product.stock = Some(10)).await;
    let mut calls = Vec::new();
    for user in 0..100 {
        let token = one.issue_with_points(&format!("user-{user}"), 500).await;
        let server = if user % 2 == 0 { &one } else { &other };
        calls.push(server.post("/v1/store/orders", &token).json(&json!({"product_id": "rare"})).key("k"));
    }
    assert_eq!(statuses(&race(calls).await), HashMap::from([(201, 10), (422, 90)]));
    assert_eq!(other.total_of_orders().await, 10);
    one.assert_audit_is_clean().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn cancellation_refunds_once_on_two_instances() {
    let (one, other) = pair().await;
    one.add_changed_product("mug", |product| product.stock = Some(5)).await;
    one.award(1_000).await;
    let (order, office) = (one.ordered("mug", 2).await, one.issue_super_user().await);
    let cancel = |server: &TestServer| server.post(&format!("/v1/manage/orders/{order}/cancel"), &office);
    let answers = race_on([&one, &other], 25, cancel).await;
    assert_eq!(statuses(&answers), HashMap::from([(200, 1), (409, 49)]));
    assert_eq!(other.balance().await, 1_000);
    one.assert_audit_is_clean().await;
}
