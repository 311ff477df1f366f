//! Facts of concurrent customers who order the same product.

use std::sync::Arc;

use futures_util::future::join_all;
use pointbook_domain::{OrderRefusal, OrderStatus, Product, TransactionId};
use pointbook_store::ports::{
    Database, NewTransaction, OrderStep, OrderStepOutcome, PlaceOrderOutcome, TenantData,
};

use super::chain::{all_entries, assert_chained};
use super::order_steps::step;
use super::orders::{place, placed, shop};
use super::record_all;
use super::state::tenant_state;
use crate::build;
use crate::build::{activity, order, product, recorded};

/// Returns how many orders are placed. All others must be refused for this reason.
async fn placed_of(
    data: &Arc<dyn TenantData>,
    orders: impl Iterator<Item = pointbook_store::ports::NewOrder>,
    reason: OrderRefusal,
) -> usize {
    let tries = orders.map(|order| {
        let data = data.clone();
        tokio::spawn(async move { place(&data, &order).await })
    });
    let outcomes: Vec<_> = join_all(tries).await.into_iter().map(Result::unwrap).collect();
    let refused = outcomes.iter().filter(|outcome| **outcome == PlaceOrderOutcome::Refused(reason)).count();
    let placed = outcomes.iter().filter(|outcome| matches!(outcome, PlaceOrderOutcome::Placed(_))).count();
    assert_eq!(placed + refused, outcomes.len(), "{outcomes:?}");
    placed
}

/// 200 customers order 10 pieces.
pub async fn nothing_is_sold_twice(database: Arc<dyn Database>) {
    let data = shop(&database, Product { stock: Some(10), ..product("mug") }, 0).await;
    let user = |number: usize| format!("customer {number}");
    let awards: Vec<NewTransaction> = (0..200).map(|n| recorded(&user(n), activity("s", 100))).collect();
    record_all(&data, &awards).await;
    let orders = (0..200).map(|n| order(&format!("o{n}"), &user(n), "mug"));
    assert_eq!(placed_of(&data, orders, OrderRefusal::SoldOut).await, 10);
    let state = tenant_state(&data).await;
    assert_eq!((state.orders.total, state.stock[0].stock, state.stock[0].reserved), (10, Some(0), 10));
    let spent = state.users.iter().filter(|user| user.balance.get() == 0).count();
    assert_eq!(spent, 11, "ten customers spent their points, and one had none");
    assert_chained(&state.entries);
}

/// One customer with points for 3 mugs orders 60.
pub async fn no_point_is_spent_twice(database: Arc<dyn Database>) {
    let data = shop(&database, Product { stock: Some(100), ..product("mug") }, 350).await;
    let orders = (0..60).map(|n| order(&format!("o{n}"), "u1", "mug"));
    assert_eq!(placed_of(&data, orders, OrderRefusal::TooFewPoints).await, 3);
    let state = tenant_state(&data).await;
    assert_eq!((state.users[0].balance.get(), state.entries.len()), (50, 4));
    assert_eq!((state.orders.total, state.stock[0].stock), (3, Some(97)));
    assert_chained(&state.entries);
}

/// Takes all steps at once and returns those that succeeded. Every other step must find the order in the new status.
async fn steps_taken(data: &Arc<dyn TenantData>, steps: Vec<OrderStep>) -> Vec<OrderStatus> {
    let tries = steps.into_iter().map(|next| {
        let data = data.clone();
        tokio::spawn(async move { step(&data, "o1", &next).await })
    });
    let mut taken = Vec::new();
    for outcome in join_all(tries).await.into_iter().map(Result::unwrap) {
        match outcome {
            OrderStepOutcome::Done(written) => taken.push(written.order.status),
            OrderStepOutcome::AlreadyClosed(_) => {}
            OrderStepOutcome::Unknown
            | OrderStepOutcome::NotByCustomers
            | OrderStepOutcome::OutOfRange
            | OrderStepOutcome::RefundRecorded => panic!("{outcome:?}"),
        }
    }
    taken
}

fn cancel_number(number: usize) -> OrderStep {
    let transaction_id = TransactionId::new(format!("refund {number}")).unwrap();
    OrderStep::Cancel { transaction_id, reason: None }
}

/// Fifty cancellations give one refund.
pub async fn an_order_is_refunded_once(database: Arc<dyn Database>) {
    let data = shop(&database, Product { stock: Some(10), ..product("mug") }, 100).await;
    placed(&data, &order("o1", "u1", "mug")).await;
    let taken = steps_taken(&data, (0..50).map(cancel_number).collect()).await;
    assert_eq!(taken, [OrderStatus::Cancelled]);
    let state = tenant_state(&data).await;
    assert_eq!((state.users[0].balance.get(), state.entries.len()), (100, 3));
    assert_eq!((state.stock[0].stock, state.stock[0].reserved), (Some(10), 0));
}

/// The balance matches the step that succeeded.
pub async fn either_cancelled_or_fulfilled(database: Arc<dyn Database>) {
    let data = shop(&database, Product { stock: Some(10), ..product("mug") }, 100).await;
    placed(&data, &order("o1", "u1", "mug")).await;
    let steps = (0..20).map(|n| if n % 2 == 0 { cancel_number(n) } else { OrderStep::Fulfil });
    let taken = steps_taken(&data, steps.collect()).await;
    assert_eq!(taken.len(), 1, "{taken:?}");
    let stored = data.order(&build::order_id("o1")).await.unwrap().unwrap();
    assert_eq!(stored.status, taken[0]);
    let (points, rows, left) = match stored.status {
        OrderStatus::Cancelled => (100, 3, 10),
        OrderStatus::Fulfilled => (0, 2, 9),
        OrderStatus::Placed => panic!("no step succeeded"),
    };
    let state = tenant_state(&data).await;
    assert_eq!((state.users[0].balance.get(), state.entries.len()), (points, rows));
    assert_eq!((state.stock[0].stock, state.stock[0].reserved), (Some(left), 0));
    assert_chained(&all_entries(&data).await);
}
