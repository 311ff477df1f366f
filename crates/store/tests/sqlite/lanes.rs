//! Tests of lanes through the ports. Another process holds the write lock, so that lanes fill up.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use pointbook_access::tokens::issue::StoreToken;
use pointbook_access::tokens::revoke::RevokeToken;
use pointbook_catalogue::commands::UpsertProducts;
use pointbook_points::earning::record_activity::RecordActivity;
use pointbook_points::orders::place::PlaceOrder;
use pointbook_points::orders::step::StepOrder;
use pointbook_store::StoreError;
use pointbook_store::ports::{Execution, OrderStep, OrderStepOutcome, TenantData};
use pointbook_testkit::build;
use pointbook_testkit::build::{activity, order, order_id, product, recorded};
use pointbook_testkit::conformance::add_tenant;
use pointbook_testkit::sqlite::new_file;
use rusqlite::Connection;

/// One more than a lane and the writing thread take.
const TOO_MANY: usize = 258;

/// A tenant with two orders of u1.
async fn store() -> (tempfile::TempDir, Connection, Arc<dyn TenantData>) {
    let (folder, path, database) = new_file();
    let data = add_tenant(&database, "acme").await;
    data.write(UpsertProducts(vec![build::upsert(product("mug"))])).await.unwrap();
    data.write(build::history([recorded("u1", activity("s1", 300))])).await.unwrap();
    for id in ["o1", "o2"] {
        data.write(PlaceOrder::without_end(order(id, "u1", "mug"))).await.unwrap();
    }
    (folder, Connection::open(path).unwrap(), data)
}

type PendingCall<'d, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'd>>;

fn pending<'d, T>(call: impl Future<Output = Result<T, StoreError>> + Send + 'd) -> PendingCall<'d, T> {
    Box::pin(call)
}

/// Polls a call once. Returns its result if it is ready.
fn poll_once<T>(future: &mut PendingCall<'_, T>) -> Option<Result<T, StoreError>> {
    match future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(result) => Some(result),
        Poll::Pending => None,
    }
}

/// Whether a full lane refuses this call. The writing thread may take its first job only now, which makes room for one more.
/// So this function makes two calls.
fn is_refused_when_full<'d, T>(call: impl Fn() -> PendingCall<'d, T>) -> bool {
    let mut calls = [call(), call()];
    calls.iter_mut().any(is_refused)
}

fn is_refused<T>(future: &mut PendingCall<'_, T>) -> bool {
    matches!(poll_once(future), Some(Err(StoreError::Overloaded)))
}

#[tokio::test]
async fn customers_and_orders_do_not_wait_for_busy_back_office() {
    let (_folder, other, data) = store().await;
    let customer = build::token(1, Some("u1"));
    let super_user = build::token(2, None);
    for token in [&customer, &super_user] {
        data.write(StoreToken(token.clone())).await.unwrap();
    }
    other.execute_batch("BEGIN IMMEDIATE").unwrap();

    let profiles = [build::profile("u2")];
    let mut imports: Vec<_> =
        (0..TOO_MANY).map(|_| pending(data.write(build::import(profiles.clone())))).collect();
    let refused = imports.iter_mut().filter_map(poll_once).count();
    assert!((1..=2).contains(&refused), "{refused}");
    assert!(is_refused_when_full(|| pending(data.write(RevokeToken {
        hash: super_user.hash,
        customer: None,
        at: build::noon()
    }))));

    let ids = ["o1", "o2"].map(order_id);
    let mut log_out = pending(data.write(RevokeToken {
        hash: customer.hash,
        customer: customer.kind.user().cloned(),
        at: build::noon(),
    }));
    let mut steps = ids.each_ref().map(|id| {
        pending(data.execute(StepOrder::without_end(id.clone(), OrderStep::Fulfil, build::noon()), None))
    });
    assert!(poll_once(&mut log_out).is_none());
    assert!(steps.iter_mut().all(|step| poll_once(step).is_none()));

    other.execute_batch("ROLLBACK").unwrap();
    assert!(log_out.await.unwrap());
    for step in steps {
        let outcome = step.await.unwrap();
        assert!(matches!(outcome, Execution::Executed(OrderStepOutcome::Done(_))), "{outcome:?}");
    }
}

/// When one customer sends many orders, neither other customers nor the back office wait.
#[tokio::test]
async fn writes_of_user_wait_only_for_writes_of_same_user() {
    let (_folder, other, data) = store().await;
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let mut orders: Vec<_> = (0..TOO_MANY)
        .map(|_| pending(data.execute(PlaceOrder::without_end(order("o3", "u1", "mug")), None)))
        .collect();
    assert!(orders.iter_mut().any(is_refused));
    let own = || {
        pending(data.execute(
            RecordActivity::without_end(build::to_record("u1", activity("s2", 1)), build::noon()),
            None,
        ))
    };
    assert!(is_refused_when_full(own));
    let mut order_of_other = pending(data.execute(PlaceOrder::without_end(order("o4", "u2", "mug")), None));
    assert!(poll_once(&mut order_of_other).is_none());
    let of_other = build::to_record("u2", activity("s1", 1));
    let mut activity_of_other =
        pending(data.execute(RecordActivity::without_end(of_other, build::noon()), None));
    assert!(poll_once(&mut activity_of_other).is_none());
    let profiles = [build::profile("u3")];
    let mut import = pending(data.write(build::import(profiles.clone())));
    assert!(poll_once(&mut import).is_none());
    other.execute_batch("ROLLBACK").unwrap();
    order_of_other.await.unwrap();
    activity_of_other.await.unwrap();
    import.await.unwrap();
}

/// The back office may request the same step again and again.
#[tokio::test]
async fn steps_of_order_wait_only_for_steps_of_same_order() {
    let (_folder, other, data) = store().await;
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let (first, second) = (order_id("o1"), order_id("o2"));
    let mut steps: Vec<_> = (0..TOO_MANY)
        .map(|_| {
            pending(
                data.execute(StepOrder::without_end(first.clone(), OrderStep::Fulfil, build::noon()), None),
            )
        })
        .collect();
    assert!(steps.iter_mut().any(is_refused));
    let mut other_order =
        pending(data.execute(StepOrder::without_end(second.clone(), OrderStep::Fulfil, build::noon()), None));
    assert!(poll_once(&mut other_order).is_none());
    other.execute_batch("ROLLBACK").unwrap();
    assert!(matches!(other_order.await.unwrap(), Execution::Executed(OrderStepOutcome::Done(_))));
}
