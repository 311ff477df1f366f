//! Facts of fulfilling and cancelling at the bounds. The ledger model has all other steps.

use std::sync::Arc;

use pointbook_domain::Product;
use pointbook_domain::points::MAX_POINTS;
use pointbook_points::orders::step::StepOrder;
use pointbook_store::ports::{
    Database, Execution, NewOrder, OrderStep, OrderStepOutcome, TenantData, WrittenOrder,
};

use super::orders::{placed, put_product, shop};
use super::record_all;
use super::state::{TenantState, tenant_state};
use crate::build;
use crate::build::{activity, cancel, order, pieces, price, product, recorded};

/// Tries a step on day 1, without a key.
pub(super) async fn step(data: &Arc<dyn TenantData>, id: &str, step: &OrderStep) -> OrderStepOutcome {
    match data
        .execute(StepOrder::without_end(build::order_id(id), step.clone(), build::on_day(1)), None)
        .await
        .unwrap()
    {
        Execution::Executed(outcome) => outcome,
        other => panic!("a step without a key must be executed, got {other:?}"),
    }
}

/// Takes a step, which must be allowed.
pub(super) async fn done(data: &Arc<dyn TenantData>, id: &str, next: &OrderStep) -> WrittenOrder {
    match step(data, id, next).await {
        OrderStepOutcome::Done(written) => *written,
        other => panic!("{id} must take {next:?}, got {other:?}"),
    }
}

fn mug(stock: Option<u32>) -> Product {
    Product { stock, regular_price: price(200), ..product("mug") }
}

fn of_3() -> NewOrder {
    pieces(3, order("o1", "u1", "mug"))
}

/// The order does not change, and can be cancelled after the balance has decreased.
pub async fn a_refund_beyond_the_bounds_is_refused(database: Arc<dyn Database>) {
    let data = shop(&database, mug(Some(10)), 1_000).await;
    placed(&data, &of_3()).await;
    record_all(&data, &[recorded("u1", activity("rich", MAX_POINTS - 400))]).await;
    let before = tenant_state(&data).await;
    assert_eq!(step(&data, "o1", &cancel("o1")).await, OrderStepOutcome::OutOfRange);
    assert_eq!(tenant_state(&data).await, before);
    record_all(&data, &[recorded("u1", activity("poorer", -600))]).await;
    assert_eq!(done(&data, "o1", &cancel("o1")).await.user_points.get(), MAX_POINTS);
}

/// A stock has an upper bound. Pieces beyond it are dropped, and count as never supplied.
pub async fn a_full_stock_takes_no_more_pieces_back(database: Arc<dyn Database>) {
    let data = shop(&database, mug(Some(10)), 1_000).await;
    placed(&data, &of_3()).await;
    put_product(&data, mug(Some(u32::MAX - 1))).await;
    assert_eq!(done(&data, "o1", &cancel("o1")).await.user_points.get(), 1_000);
    let TenantState { stock, products, .. } = tenant_state(&data).await;
    assert_eq!((products.items[0].product.stock, products.items[0].reserved), (Some(u32::MAX), 0));
    assert_eq!((stock[0].stock, stock[0].supplied), (Some(i64::from(u32::MAX)), i64::from(u32::MAX)));
}
