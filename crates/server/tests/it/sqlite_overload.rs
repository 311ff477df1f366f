//! More reads than a file of SQLite can give at once. Long ones are held up here, each by an audit that
//! nobody listens to; time stands still, and goes on only where a test says so.

use std::pin::Pin;
use std::task::{Context, Waker};
use std::time::Duration;

use http::{Method, StatusCode};
use pointbook_app::StoreResult;
use pointbook_app::ports::AuditBatch;
use pointbook_domain::TokenKind;
use pointbook_http::MetricsHandle;
use tokio::sync::mpsc;
use tokio::task::{JoinSet, yield_now};

use crate::client::Call;
use crate::harness::TestServer;

/// How many long reads run at once.
const LONG_READS: usize = 4;

/// A list that is read from the database.
const LIST: &str = "/v1/manage/users";

/// A long read that lasts until this is dropped.
struct Held<'s> {
    _audit: Pin<Box<dyn Future<Output = StoreResult<()>> + Send + 's>>,
    _unheard: mpsc::Receiver<AuditBatch>,
}

/// Takes all places that long reads have.
fn hold_long_reads(server: &TestServer) -> Vec<Held<'static>> {
    let held = (0..LONG_READS).map(|_| {
        let (facts, unheard) = mpsc::channel(1);
        facts.try_send(AuditBatch::new()).unwrap();
        let data = server.production().data.clone();
        let mut audit: Pin<Box<dyn Future<Output = _> + Send>> =
            Box::pin(async move { data.audit_facts(facts).await });
        assert!(audit.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        Held { _audit: audit, _unheard: unheard }
    });
    let held = held.collect();
    tokio::time::pause();
    held
}

/// Waits until so many wait for a place.
async fn until_waiting(metrics: &MetricsHandle, number: usize) {
    let row = "pointbook_reads_waiting{line=\"long\"} ";
    let waiting = |text: &str| -> usize {
        text.lines().find_map(|line| line.strip_prefix(row)?.parse().ok()).unwrap_or_default()
    };
    while waiting(&metrics.render()) < number {
        yield_now().await;
    }
}

#[tokio::test]
async fn what_waits_for_too_long_is_refused_and_the_next_is_answered() {
    let (server, token) = TestServer::with_back_office().await;
    let held = hold_long_reads(&server);
    let list = server.request(Method::GET, LIST, &token);
    let waiting = tokio::spawn(list.clone().send());
    while !waiting.is_finished() {
        assert_eq!(server.get("/v1/user/point-history").await.status, 200, "nothing else is held up");
        assert_eq!(server.call_at("/readyz").send().await.status, 200);
        tokio::time::advance(Duration::from_millis(100)).await;
    }
    let refused = waiting.await.unwrap();
    assert_eq!((refused.status.as_u16(), refused.header("retry-after")), (503, Some("1")));
    drop(held);
    assert_eq!(list.send().await.status, 200);
}

#[tokio::test]
async fn a_tenant_that_asks_for_much_waits_for_itself() {
    let metrics = pointbook_http::install_metrics().unwrap();
    let (server, token) = TestServer::with_back_office().await;
    let other = server.issue_kind("other", TokenKind::SuperUser, None).await;
    let mut held = hold_long_reads(&server);
    let mut running = JoinSet::new();
    let mut ask = |tenant: &'static str, call: Call| {
        running.spawn(async move { (tenant, call.send().await.status) });
    };
    for _ in 0..50 {
        ask("shop", server.request(Method::GET, LIST, &token));
    }
    until_waiting(&metrics, 50).await;
    ask("other", server.call_at(&format!("/other/api{LIST}")).bearer(&other));
    until_waiting(&metrics, 51).await;
    held.pop();
    let mut answered = Vec::new();
    while let Some(answer) = running.join_next().await {
        let (tenant, status) = answer.unwrap();
        assert_eq!(status, StatusCode::OK);
        answered.push(tenant);
    }
    let place = answered.iter().position(|tenant| *tenant == "other").unwrap();
    assert!(place < 10, "it came last, and its turn is the second: {place}");
}
