//! `/v1/manage/webhooks`: adding, changing and removing webhooks.

use http::Method;
use serde_json::{Value, json};

use crate::client::Answer;
use crate::harness::TestServer;

pub(super) const PATH: &str = "/v1/manage/webhooks";

pub(super) async fn send(
    server: &TestServer,
    token: &str,
    method: Method,
    path: &str,
    body: Value,
) -> Answer {
    let call = server.request(method, &format!("{PATH}{path}"), token);
    if body.is_null() { call.send().await } else { call.json(&body).send().await }
}

pub(super) async fn show(server: &TestServer, token: &str, id: &str) -> Value {
    let answer = send(server, token, Method::GET, &format!("/{id}"), Value::Null).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()["data"].clone()
}

pub(super) async fn add(server: &TestServer, token: &str, body: Value) -> String {
    let answer = send(server, token, Method::POST, "", body).await;
    assert_eq!(answer.status, 201, "{}", answer.text());
    answer.json()["data"]["id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_webhook_is_added_changed_and_removed() {
    let (server, token) = TestServer::with_back_office().await;
    let body =
        json!({"url": "https://shop.example.com/hooks", "event_types": ["order.placed"], "parallel": 8});
    let call = || server.post(PATH, &token).json(&body).key("k");
    let (first, again) = (call().send().await, call().send().await);
    assert_eq!((first.status.as_u16(), first.text()), (201, again.text()));
    let (id, secret) = (&first.json()["data"]["id"], &first.json()["data"]["secret"]);
    assert!(secret.as_str().unwrap().starts_with("whsec_"));
    let id = id.as_str().unwrap();
    let list = send(&server, &token, Method::GET, "", Value::Null).await;
    assert!(!list.text().contains("whsec_"));
    let listed = list.json()["data"].as_array().unwrap().clone();
    assert_eq!(listed, [show(&server, &token, id).await]);
    let shown = &listed[0];
    assert_eq!((&shown["event_types"], &shown["parallel"]), (&json!(["order.placed"]), &json!(8)));
    assert_eq!((&shown["state"], &shown["delivery"]["lag"]), (&json!("active"), &json!(0)));

    let off = json!({"url": "https://shop.example.com/other", "mode": "nudge", "enabled": false});
    let put = send(&server, &token, Method::PUT, &format!("/{id}"), off).await.json()["data"].clone();
    assert_eq!(
        (&put["mode"], &put["parallel"], &put["event_types"]),
        (&json!("nudge"), &json!(1), &json!([]))
    );
    assert_eq!((&put["state"], &put["disabled_because"]), (&json!("disabled"), &json!("request")));
    let rotated = send(&server, &token, Method::POST, &format!("/{id}/rotate"), Value::Null).await;
    assert_eq!(rotated.status, 201);
    assert_ne!(&rotated.json()["data"]["secret"], secret);
    assert_eq!(show(&server, &token, id).await["previous_secret_until"], "2026-03-02T12:00:00.000000Z");

    let removed = send(&server, &token, Method::DELETE, &format!("/{id}"), Value::Null).await;
    assert_eq!(removed.text(), r#"{"success":true}"#);
    for (method, path) in
        [(Method::GET, ""), (Method::DELETE, ""), (Method::GET, "/attempts"), (Method::POST, "/test")]
    {
        assert_eq!(send(&server, &token, method, &format!("/{id}{path}"), Value::Null).await.status, 404);
    }
}

#[tokio::test]
async fn what_cannot_be_a_webhook_is_refused_by_name() {
    let (server, token) = TestServer::with_back_office().await;
    let refused = async |body: Value| {
        let answer = send(&server, &token, Method::POST, "", body).await;
        assert_eq!(answer.status, 422);
        answer.field_errors()
    };
    let inside = refused(json!({"url": "https://10.1.2.3/hooks"})).await;
    assert!(inside[0].starts_with("url: The url cannot be used: "), "{inside:?}");
    assert!(inside[0].contains("webhooks.allow_networks"), "{inside:?}");
    assert_eq!(refused(json!({"url": "ftp://shop.example.com"})).await.len(), 1);
    let fields = json!({"event_types": ["order.eaten"], "mode": "all", "parallel": 9, "enabled": 1, "after": "x", "more": 1});
    let names: Vec<_> =
        refused(fields).await.iter().map(|error| error.split(':').next().unwrap().to_owned()).collect();
    assert_eq!(names, ["url", "event_types.0", "mode", "parallel", "enabled", "after", "more"]);
    // What needs no resolver is named with the faults of all other fields.
    for url in ["ftp://shop.example.com", "https://10.1.2.3/hooks"] {
        let errors = refused(json!({"url": url, "mode": "all", "more": 1})).await;
        let of_url = errors.iter().find(|error| error.starts_with("url: The url cannot be used: "));
        assert!(errors.len() == 3 && of_url.is_some(), "{errors:?}");
    }
    // A webhook whose host is gone can be switched off.
    let id = add(&server, &token, json!({"url": "https://shop.example.com/hooks"})).await;
    let off = json!({"url": "https://10.1.2.3/hooks", "enabled": false});
    assert_eq!(send(&server, &token, Method::PUT, &format!("/{id}"), off).await.status, 200);
    let gone =
        send(&server, &token, Method::POST, "", json!({"url": "https://a.example", "after": "7-1"})).await;
    assert_eq!((gone.status.as_u16(), &gone.json()["earliest"]), (410, &json!("1-0")));
}

#[tokio::test]
async fn a_tenant_has_at_most_twenty_webhooks() {
    let (server, token) = TestServer::with_back_office().await;
    for number in 0..20 {
        add(&server, &token, json!({"url": format!("https://shop.example.com/{number}")})).await;
    }
    let one_more = send(&server, &token, Method::POST, "", json!({"url": "https://shop.example.com"})).await;
    assert_eq!((one_more.status.as_u16(), &one_more.json()["code"]), (409, &json!("too_many_webhooks")));
}

/// A refusal that follows from names or from the feed is another one later. So the same request may succeed then.
#[tokio::test]
async fn a_refusal_that_may_change_is_not_kept_under_the_key() {
    let (server, token) = TestServer::with_back_office().await;
    let id = add(&server, &token, json!({"url": "https://shop.example.com/hooks"})).await;
    let post = async |path: &str, body: Value, key: &str| {
        server.post(&format!("{PATH}{path}"), &token).json(&body).key(key).send().await
    };
    let latest = server.request(Method::GET, "/v1/manage/events", &token).send().await.json();
    let latest: u64 = latest["meta"]["latest"].as_str().unwrap().split_once('-').unwrap().1.parse().unwrap();
    let next = json!({"after": format!("1-{}", latest + 1)});
    let rewind = async || post(&format!("/{id}/rewind"), next.clone(), "rewind").await;
    assert_eq!(rewind().await.status, 410);
    server.award(5).await;
    assert_eq!(rewind().await.status, 200);
    server.advance_seconds(1);
    let again = rewind().await;
    assert_eq!((again.status.as_u16(), again.header("idempotency-replayed")), (200, Some("true")));
    // The first host is refused, and the key takes another request.
    let inside = post("", json!({"url": "https://10.1.2.3/"}), "add").await;
    assert_eq!((inside.status.as_u16(), inside.header("idempotency-replayed")), (422, None));
    assert_eq!(post("", json!({"url": "https://shop.example.com/"}), "add").await.status, 201);
}
