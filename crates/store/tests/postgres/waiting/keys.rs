//! Concurrent requests with the same idempotency key.

use pointbook_points::orders::place::PlaceOrder;
use pointbook_store::ports::{Execution, PlaceOrderOutcome, RequestKey};
use pointbook_testkit::build;
use pointbook_testkit::build::{once, order, product};

use super::fixture::WaitingFixture;

/// Stores a response under the key of [`place`], as another instance does.
const TAKE: &str = "INSERT INTO request_keys
    (tenant_id, principal, key, fingerprint, answer, created_at, last_used_at)
    VALUES ('acme', 'customer:u1', 'k', repeat('x', 32)::bytea, 'first', 0, 0)";

/// Places an order with the key `k`.
fn place(fixture: &WaitingFixture) -> impl Future<Output = Execution<PlaceOrderOutcome>> + Send + 'static {
    let data = fixture.data.clone();
    async move {
        let (principal, key) = ("customer:u1".to_owned(), "k".to_owned());
        let key = RequestKey { principal, key, fingerprint: [b'x'; 32], max_kept: None };
        data.execute(PlaceOrder::without_end(order("o1", "u1", "mug")), once(key, build::noon()))
            .await
            .unwrap()
    }
}

#[tokio::test]
async fn a_request_waits_for_the_answer_to_the_first() {
    let Some(fixture) = WaitingFixture::with(product("mug")).await else { return };
    let second = fixture.behind(TAKE, "COMMIT", place(&fixture)).await;
    assert!(matches!(second, Execution::Replayed(answer) if answer.0 == b"first"));
}

#[tokio::test]
async fn request_is_executed_when_first_was_rolled_back() {
    let Some(fixture) = WaitingFixture::with(product("mug")).await else { return };
    let second = fixture.behind(TAKE, "ROLLBACK", place(&fixture)).await;
    assert!(matches!(second, Execution::Executed(PlaceOrderOutcome::Placed(_))));
}

#[tokio::test]
async fn request_is_executed_when_its_key_is_removed_first() {
    let Some(fixture) = WaitingFixture::with(product("mug")).await else { return };
    fixture.meanwhile(TAKE).await;
    let second =
        fixture.behind("DELETE FROM request_keys WHERE tenant_id = 'acme'", "COMMIT", place(&fixture)).await;
    assert!(matches!(second, Execution::Executed(PlaceOrderOutcome::Placed(_))));
}

/// The removal does not wait for the key either.
#[tokio::test]
async fn key_in_use_is_not_removed() {
    let Some(fixture) = WaitingFixture::with(product("mug")).await else { return };
    place(&fixture).await;
    let now = build::on_day(9).as_micros();
    fixture
        .meanwhile(&format!("BEGIN; UPDATE request_keys SET last_used_at = {now} WHERE tenant_id = 'acme'"))
        .await;
    assert_eq!(fixture.data.forget_request_keys(build::on_day(5), 10).await.unwrap(), 0);
    fixture.meanwhile("COMMIT").await;
    assert_eq!(fixture.data.forget_request_keys(build::on_day(5), 10).await.unwrap(), 0);
    assert!(matches!(place(&fixture).await, Execution::Replayed(_)));
}
