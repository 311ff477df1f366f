//! More long reads than SQLite can run at once. Each long read of the test is an audit whose result
//! the test does not read, so that it does not end.

use std::pin::Pin;
use std::task::{Context, Waker};

use http::Method;
use pointbook_domain::TokenKind;
use pointbook_store::StoreResult;
use pointbook_store::ports::AuditBatch;
use pointbook_testkit::postgres::Setup;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use crate::harness::{TestServer, setup};

/// How many long reads of one tenant may wait.
const WAITING: usize = 48;

/// How many long reads of one tenant may run at once.
fn reading() -> usize {
    std::thread::available_parallelism().unwrap().get().clamp(2, 8) - 1
}

/// A list that is read from the database.
const LIST: &str = "/v1/manage/users";

/// A long read that lasts until this is dropped.
struct LongRead {
    _audit: Pin<Box<dyn Future<Output = StoreResult<()>> + Send>>,
    _unheard: mpsc::Receiver<AuditBatch>,
}

/// Takes all permits for long reads of the tenant.
fn hold_long_reads(server: &TestServer) -> Vec<LongRead> {
    let held = (0..reading()).map(|_| {
        let (facts, unheard) = mpsc::channel(1);
        facts.try_send(AuditBatch::new()).unwrap();
        let data = server.production().data.clone();
        let mut audit: Pin<Box<dyn Future<Output = _> + Send>> =
            Box::pin(async move { data.audit_facts(facts).await });
        assert!(audit.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        LongRead { _audit: audit, _unheard: unheard }
    });
    held.collect()
}

#[tokio::test]
async fn tenant_with_too_many_long_reads_waits_and_is_refused() {
    if setup() != Setup::Sqlite {
        return;
    }
    let (server, token) = TestServer::with_back_office().await;
    let other = server.issue_kind("other", TokenKind::SuperUser, None).await;
    let held = hold_long_reads(&server);
    let list = || server.request(Method::GET, LIST, &token);
    let mut asked = JoinSet::new();
    (0..=WAITING).for_each(|_| drop(asked.spawn(list().send())));

    let refused = asked.join_next().await.unwrap().unwrap();
    assert_eq!((refused.status.as_u16(), refused.header("retry-after")), (503, Some("1")));
    let others = server.call_at(&format!("/other/api{LIST}")).bearer(&other);
    assert_eq!(others.send().await.status, 200, "there is a place for another");
    assert_eq!(server.get("/v1/user/point-history").await.status, 200, "short reads do not wait");
    assert_eq!(server.get("/v1/store/products").await.status, 200, "nor do catalogues");
    assert_eq!(server.call_at("/readyz").send().await.status, 200);

    drop(held);
    while let Some(answer) = asked.join_next().await {
        assert_eq!(answer.unwrap().status, 200);
    }
    assert_eq!(list().send().await.status, 200);
}
