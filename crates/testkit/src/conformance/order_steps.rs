//! Facts of fulfilling and cancelling.

use std::sync::Arc;

use pointbook_app::ports::{
    CatalogueVersion, Database, Execution, NewOrder, OrderStep, OrderStepOutcome, TenantData, WrittenOrder,
};
use pointbook_app::{RetireProducts, StepOrder};
use pointbook_domain::points::MAX_POINTS;
use pointbook_domain::{Order, OrderStatus, Product, SourceId, Transaction};

use super::orders::{placed, put_product, shop, stock};
use super::record_all;
use super::state::{TenantState, tenant_state};
use crate::build::{self, activity, cancel, order, pieces, price, product, recorded};

/// Tries a step on day 1, without a key.
pub(super) async fn step(data: &Arc<dyn TenantData>, id: &str, step: &OrderStep) -> OrderStepOutcome {
    match data
        .execute(StepOrder { id: build::order_id(id), step: step.clone(), at: build::on_day(1) }, None)
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

/// Exactly the taken amounts return, and the history shows both rows.
pub async fn cancelling_returns_points_and_pieces(database: Arc<dyn Database>) {
    let data = shop(&database, mug(Some(10)), 1_000).await;
    let before = placed(&data, &of_3()).await.order;
    let written = done(&data, "o1", &cancel("o1")).await;
    let cancelled_at = Some(build::on_day(1));
    assert_eq!(written.order, Order { status: OrderStatus::Cancelled, cancelled_at, ..before });
    assert_eq!(written.user_points.get(), 1_000);
    let TenantState { histories, entries, products, stock, orders, .. } = tenant_state(&data).await;
    assert_eq!(orders.items, std::slice::from_ref(&written.order));
    assert_eq!((products.items[0].product.stock, products.items[0].reserved), (Some(10), 0));
    assert_eq!((stock[0].supplied, stock[0].placed_pieces, stock[0].taken_pieces), (Some(10), 0, 0));
    assert_eq!((histories[0].user_points.get(), histories[0].day_count), (1_000, 2));
    let activity = written.order.refund(build::on_day(1));
    assert_eq!((activity.points.get(), activity.subtitle.as_str()), (600, "NO-o1"));
    assert_eq!(activity.source_id, SourceId::new("o1:refund").unwrap());
    let OrderStep::Cancel { transaction_id: id, .. } = cancel("o1") else { unreachable!() };
    assert_eq!(
        entries[2].transaction,
        Transaction { id, activity, bonus_origin: pointbook_domain::BonusOrigin::Undecided }
    );
    assert_eq!((entries.len(), entries[2].recorded_at), (3, build::on_day(1)));
}

/// The pieces and the points stay taken.
pub async fn fulfilling_ends_the_reservation(database: Arc<dyn Database>) {
    let data = shop(&database, mug(Some(10)), 1_000).await;
    let before = placed(&data, &of_3()).await.order;
    let written = done(&data, "o1", &OrderStep::Fulfil).await;
    let fulfilled_at = Some(build::on_day(1));
    assert_eq!(written.order, Order { status: OrderStatus::Fulfilled, fulfilled_at, ..before });
    assert_eq!((written.user_points.get(), written.changes_catalogue), (400, false));
    let TenantState { products, stock, orders, entries, version, .. } = tenant_state(&data).await;
    assert_eq!(orders.items, [written.order]);
    assert_eq!((products.items[0].product.stock, products.items[0].reserved), (Some(7), 0));
    assert_eq!((stock[0].supplied, stock[0].placed_pieces, stock[0].taken_pieces), (Some(10), 0, 3));
    assert_eq!((entries.len(), version), (2, CatalogueVersion(1)));
}

/// Both steps are final, and a refused step changes nothing.
pub async fn only_a_placed_order_takes_a_step(database: Arc<dyn Database>) {
    let data = shop(&database, mug(Some(10)), 1_000).await;
    for (id, first) in [("o1", cancel("o1")), ("o2", OrderStep::Fulfil)] {
        placed(&data, &order(id, "u1", "mug")).await;
        done(&data, id, &first).await;
        let before = tenant_state(&data).await;
        for next in [cancel(&format!("{id} again")), OrderStep::Fulfil] {
            assert_eq!(step(&data, id, &next).await, OrderStepOutcome::AlreadyClosed(first.status()));
            assert_eq!(tenant_state(&data).await, before, "{id}: {next:?}");
        }
    }
}

/// The outcome differs from that of a wrong step.
pub async fn an_unknown_order_takes_no_step(database: Arc<dyn Database>) {
    let data = shop(&database, mug(Some(10)), 1_000).await;
    placed(&data, &of_3()).await;
    let before = tenant_state(&data).await;
    for id in ["O1", "o", "o1 "] {
        for next in [cancel(id), OrderStep::Fulfil] {
            assert_eq!(step(&data, id, &next).await, OrderStepOutcome::Unknown);
        }
        assert_eq!(data.order(&build::order_id(id)).await.unwrap(), None);
    }
    assert_eq!(tenant_state(&data).await, before);
}

/// The refund is the price of the order, not the current price.
pub async fn a_refund_does_not_follow_the_price(database: Arc<dyn Database>) {
    let data = shop(&database, mug(Some(10)), 1_000).await;
    placed(&data, &of_3()).await;
    let dearer = Product { regular_price: price(900), title: "Dear mug".into(), ..mug(Some(7)) };
    put_product(&data, dearer).await;
    assert_eq!(done(&data, "o1", &cancel("o1")).await.user_points.get(), 1_000);
    let TenantState { entries, .. } = tenant_state(&data).await;
    let refund = &entries[2].transaction.activity;
    assert_eq!((refund.points.get(), refund.title.as_str()), (600, "Product mug"));
    assert_eq!(stock(&data).await, Some(10));
}

/// The tombstone gets the pieces, so that a restored product has them.
pub async fn a_retired_product_gets_its_pieces_back(database: Arc<dyn Database>) {
    let data = shop(&database, mug(Some(3)), 1_000).await;
    placed(&data, &of_3()).await;
    data.write(RetireProducts { ids: vec![build::product_id("mug")], at: build::noon() }).await.unwrap();
    let version = data.catalogue_version().await.unwrap();
    let written = done(&data, "o1", &cancel("o1")).await;
    assert_eq!(written.user_points.get(), 1_000);
    assert_eq!(stock(&data).await, Some(3));
    assert_eq!(
        (written.changes_catalogue, data.catalogue_version().await.unwrap()),
        (false, version),
        "clients do not see a retired product"
    );
}

/// An unlimited product has no stock, but the user gets the points back.
pub async fn an_unlimited_product_gets_no_pieces_back(database: Arc<dyn Database>) {
    let data = shop(&database, mug(Some(10)), 1_000).await;
    placed(&data, &of_3()).await;
    put_product(&data, mug(None)).await;
    let written = done(&data, "o1", &cancel("o1")).await;
    assert_eq!((written.user_points.get(), written.changes_catalogue), (1_000, false));
    let TenantState { stock, .. } = tenant_state(&data).await;
    assert_eq!((stock[0].stock, stock[0].supplied, stock[0].reserved), (None, None, 0));
}

/// These pieces never came out of the stock.
pub async fn pieces_of_an_unlimited_time_do_not_enter_the_stock(database: Arc<dyn Database>) {
    let data = shop(&database, mug(None), 1_000).await;
    placed(&data, &of_3()).await;
    put_product(&data, mug(Some(10))).await;
    assert!(!done(&data, "o1", &cancel("o1")).await.order.takes_stock);
    let TenantState { stock, .. } = tenant_state(&data).await;
    assert_eq!((stock[0].stock, stock[0].supplied, stock[0].reserved), (Some(10), Some(10), 0));
}

/// The class goes from sold out to low to plenty.
pub async fn a_cancellation_may_change_the_class_of_stock(database: Arc<dyn Database>) {
    let data = shop(&database, mug(Some(7)), 10_000).await;
    for (id, quantity) in [("o1", 1), ("o2", 2), ("o3", 1), ("o4", 3)] {
        placed(&data, &pieces(quantity, order(id, "u1", "mug"))).await;
    }
    let CatalogueVersion(before) = data.catalogue_version().await.unwrap();
    for (id, changes, version) in [
        ("o4", true, before + 1),
        ("o3", false, before + 1),
        ("o2", true, before + 2),
        ("o1", false, before + 2),
    ] {
        assert_eq!(done(&data, id, &cancel(id)).await.changes_catalogue, changes, "{id}");
        assert_eq!(data.catalogue_version().await.unwrap(), CatalogueVersion(version), "{id}");
    }
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

/// The balance may stay negative after a refund.
pub async fn refund_reaches_a_user_in_debt(database: Arc<dyn Database>) {
    let data = shop(&database, mug(Some(10)), 600).await;
    placed(&data, &of_3()).await;
    record_all(&data, &[recorded("u1", activity("debt", -1_000))]).await;
    assert_eq!(done(&data, "o1", &cancel("o1")).await.user_points.get(), -400);
}

/// A stock has an upper bound. Pieces beyond it are dropped, and count as never supplied.
pub async fn a_full_stock_takes_no_more_pieces_back(database: Arc<dyn Database>) {
    let data = shop(&database, mug(Some(10)), 1_000).await;
    placed(&data, &of_3()).await;
    put_product(&data, mug(Some(u32::MAX - 1))).await;
    assert_eq!(done(&data, "o1", &cancel("o1")).await.user_points.get(), 1_000);
    let TenantState { stock, products, .. } = tenant_state(&data).await;
    assert_eq!((products.items[0].product.stock, products.items[0].reserved), (Some(u32::MAX), 0));
    assert_eq!((stock[0].stock, stock[0].supplied), (Some(i64::from(u32::MAX)), Some(i64::from(u32::MAX))));
}
