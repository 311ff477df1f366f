//! `/v1/manage/webhooks` with a receiver: what arrives, and what a webhook shows about it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use http::Method;
use pointbook_events::webhooks::serve;
use pointbook_testkit::Receiver;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::webhooks::{add, send, show};
use crate::harness::TestServer;

/// Shows the webhook until its deliveries are so. Fails after a minute.
async fn wait_until(server: &TestServer, token: &str, id: &str, is_so: impl Fn(&Value) -> bool) -> Value {
    let becomes_so = async {
        loop {
            let delivery = show(server, token, id).await["delivery"].clone();
            if is_so(&delivery) {
                return delivery;
            }
            sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(Duration::from_mins(1), becomes_so).await.unwrap()
}

/// A receiver that fails as long as a test wants.
async fn start_receiver(fails: &Arc<AtomicBool>) -> Receiver {
    let fails = fails.clone();
    let react = move |_| {
        let status = if fails.load(Ordering::SeqCst) { "500 Broken" } else { "204 Done" };
        async move { status }
    };
    Receiver::start(react).await
}

/// The ids of its messages, when it has got at least this many.
async fn ids_of(receiver: &Receiver, count: usize) -> Vec<String> {
    receiver.arrived(count).await;
    receiver.ids()
}

/// Delivers like a server until the result is dropped.
fn deliver(server: &TestServer) -> JoinSet<()> {
    let mut tasks = JoinSet::new();
    tasks.spawn(serve(Arc::new(server.deliveries())));
    tasks
}

fn positions(ids: &[String]) -> Vec<u64> {
    ids.iter().map(|id| id.strip_prefix("evt_1_").unwrap().parse().unwrap()).collect()
}

#[tokio::test]
async fn events_arrive_once_and_in_order() {
    let (server, token) = TestServer::with_back_office().await;
    let receiver = Receiver::responding(&["204 Done"]).await;
    let id = add(&server, &token, json!({"url": receiver.url(), "after": "1-0"})).await;
    let _deliveries = deliver(&server);
    for number in 0..20 {
        server.award(number + 1).await;
    }
    let latest = server.request(Method::GET, "/v1/manage/events?limit=1", &token).send().await.json();
    let latest =
        latest["meta"]["latest"].as_str().unwrap().split_once('-').unwrap().1.parse::<u64>().unwrap();
    let ids = ids_of(&receiver, usize::try_from(latest).unwrap()).await;
    assert_eq!(positions(&ids), (1..=latest).collect::<Vec<_>>());
    wait_until(&server, &token, &id, |delivery| delivery["lag"] == 0).await;
    let attempts =
        send(&server, &token, Method::GET, &format!("/{id}/attempts?limit=5"), Value::Null).await.json();
    assert_eq!(attempts["data"].as_array().unwrap().len(), 5);
    assert_eq!((&attempts["data"][0]["status"], &attempts["data"][0]["error"]), (&json!(204), &Value::Null));
    let body = json!({"after": format!("1-{}", latest - 2)});
    assert_eq!(send(&server, &token, Method::POST, &format!("/{id}/rewind"), body).await.status, 200);
    let again = ids_of(&receiver, ids.len() + 2).await;
    assert_eq!(positions(&again[ids.len()..]), [latest - 1, latest]);
}

#[tokio::test]
async fn an_event_that_fails_blocks_until_it_is_skipped() {
    let (server, token) = TestServer::with_back_office().await;
    let fails = Arc::new(AtomicBool::new(true));
    let receiver = start_receiver(&fails).await;
    let id = add(&server, &token, json!({"url": receiver.url(), "after": "1-0"})).await;
    let _deliveries = deliver(&server);
    server.award(5).await;
    receiver.arrived(1).await;
    let has_failed = |delivery: &Value| delivery["failed_position"] == 1;
    let blocked = wait_until(&server, &token, &id, has_failed).await;
    assert_eq!((&blocked["cursor"], &blocked["failures_in_row"]), (&json!("1-0"), &json!(1)));
    let skip = |position: u64| (format!("/{id}/skip"), json!({ "position": position }));
    let (path, other) = skip(2);
    let refused = send(&server, &token, Method::POST, &path, other).await;
    assert_eq!((refused.status.as_u16(), &refused.json()["code"]), (409, &json!("not_blocked")));
    fails.store(false, Ordering::SeqCst);
    let (path, failed) = skip(1);
    assert_eq!(send(&server, &token, Method::POST, &path, failed).await.status, 200);
    let ids = ids_of(&receiver, receiver.ids().len() + 1).await;
    assert!(positions(&ids).contains(&2), "{ids:?}");
}

#[tokio::test]
async fn a_test_says_what_the_receiver_responded() {
    let (server, token) = TestServer::with_back_office().await;
    let receiver = Receiver::responding(&["204 Done", "500 Broken"]).await;
    let id = add(&server, &token, json!({"url": receiver.url()})).await;
    let test = async || {
        send(&server, &token, Method::POST, &format!("/{id}/test"), Value::Null).await.json()["data"].clone()
    };
    let good = test().await;
    assert_eq!((&good["status"], &good["error"]), (&json!(204), &Value::Null));
    let bad = test().await;
    assert_eq!((&bad["status"], &bad["error"]), (&json!(500), &json!("status")));
    assert!(receiver.ids().iter().all(|id| id.starts_with("test_")));
}

/// Two slow receivers take all permits of the tenant.
#[tokio::test]
async fn a_webhook_is_disabled_while_tests_are_slow() {
    let (server, token) = TestServer::with_back_office().await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let id = add(&server, &token, json!({"url": url})).await;
    let put = async |enabled: bool| {
        let body = json!({"url": url, "enabled": enabled});
        send(&server, &token, Method::PUT, &format!("/{id}"), body).await.status.as_u16()
    };
    let path = format!("/{id}/test");
    let test = || send(&server, &token, Method::POST, &path, Value::Null);
    let switch = async {
        // Both tests are with the receiver.
        let _streams = [listener.accept().await.unwrap(), listener.accept().await.unwrap()];
        [put(true).await, put(false).await, put(true).await]
    };
    let (statuses, _, _) = tokio::join!(switch, test(), test());
    assert_eq!(statuses, [503, 200, 503]);
}
