//! A tenant or a principal that takes its whole share leaves room to the others.

use std::sync::Arc;
use std::time::{Duration, Instant};

use http::{Method, StatusCode};
use pointbook_domain::TokenKind;
use pointbook_store::ports::Database;
use pointbook_testkit::{Fault, FaultyDatabase};
use serde_json::json;
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::client::{Answer, Call};
use crate::harness::{TestServer, patient_limits};

/// A history that has no response after this time hangs. A refusal takes a tenth of a second.
const HANGING: Duration = Duration::from_mins(1);

const HISTORY: &str = "/v1/user/point-history";

/// A server for eight requests on which each history hangs. Each of these customers asks for ten, of which at least this many are refused.
async fn with_waiting_histories(users: &[&str], refused: usize) -> (TestServer, JoinSet<Answer>) {
    let hangs = |database| -> Arc<dyn Database> { Arc::new(FaultyDatabase::new(database, Fault::Hang)) };
    let server = TestServer::start_with(patient_limits(), hangs).await;
    let mut waiting = JoinSet::new();
    for user in users {
        let token = server.issue(user).await;
        for _ in 0..10 {
            waiting.spawn(server.request(Method::GET, HISTORY, &token).send());
        }
    }
    for _ in 0..refused {
        let Ok(Some(answer)) = timeout(HANGING, waiting.join_next()).await else {
            panic!("fewer histories were refused");
        };
        let answer = answer.unwrap();
        assert_eq!((answer.status.as_u16(), answer.header("retry-after")), (503, Some("1")));
    }
    (server, waiting)
}

#[tokio::test]
async fn a_tenant_with_too_many_requests_leaves_room_to_another() {
    let (server, _waiting) = with_waiting_histories(&["a", "b", "c", "d", "e", "f", "g", "h"], 1).await;
    let key = server.issue_kind("other", TokenKind::SuperUser, None).await;
    let scan = json!({"type": "code", "source_id": "scan", "points": 5, "title": "Scan"});
    let path = "/other/api/v1/manage/users/ann/activities";
    let activity = Call::new(server.address(), Method::POST, path.to_owned()).bearer(&key);
    assert_eq!(activity.json(&scan).send().await.status, StatusCode::CREATED);
    let list = server.call_at("/other/api/v1/manage/users").bearer(&key);
    assert_eq!(list.send().await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_customer_with_too_many_requests_leaves_room_to_another() {
    let (server, _waiting) = with_waiting_histories(&["a"], 8).await;
    let other = server.issue("u2").await;
    let order = server.request(Method::GET, "/v1/store/orders", &other);
    assert_eq!(order.send().await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_client_waits_for_a_refusal() {
    let (server, _waiting) = with_waiting_histories(&["a"], 8).await;
    let again = server.request(Method::GET, HISTORY, &server.issue("a").await);
    let asked = Instant::now();
    assert_eq!(again.send().await.status, StatusCode::SERVICE_UNAVAILABLE);
    let waited = asked.elapsed();
    assert!(waited >= Duration::from_millis(100), "{waited:?}");
}
