//! Facts of placing orders, beside those of the ledger model.

use std::sync::Arc;

use pointbook_catalogue::commands::{RetireProducts, UpsertProducts};
use pointbook_domain::points::MAX_POINTS;
use pointbook_domain::{Order, OrderStatus, OrderedProduct, Product, Tenant, TenantSettings};
use pointbook_points::orders::place::PlaceOrder;
use pointbook_store::ports::{
    CatalogueVersion, Database, Execution, NewOrder, PlaceOrderOutcome, ProductChange, TenantData,
    WrittenOrder,
};

use super::order_steps::done;
use super::{add_tenant, record_all};
use crate::build;
use crate::build::{activity, cancel, order, pieces, price, product, recorded};

/// A tenant with one product and the user u1, who has this many points.
pub(super) async fn shop(
    database: &Arc<dyn Database>,
    product: Product,
    balance: i64,
) -> Arc<dyn TenantData> {
    let data = add_tenant(database, "acme").await;
    put_product(&data, product).await;
    award(&data, "u1", balance).await;
    data
}

/// Stores a product.
pub(super) async fn put_product(data: &Arc<dyn TenantData>, product: Product) {
    data.write(UpsertProducts(vec![build::upsert(product)])).await.unwrap();
}

/// Records the first points of a user, which may be 0 or negative.
pub(super) async fn award(data: &Arc<dyn TenantData>, user: &str, amount: i64) {
    record_all(data, &[recorded(user, activity("first", amount))]).await;
}

/// Tries to place an order, without a key.
pub(super) async fn place(data: &Arc<dyn TenantData>, order: &NewOrder) -> PlaceOrderOutcome {
    match data.execute(PlaceOrder::without_end(order.clone()), None).await.unwrap() {
        Execution::Executed(outcome) => outcome,
        other => panic!("an order without a key must be executed, got {other:?}"),
    }
}

/// Places an order, which must not be refused.
pub(super) async fn placed(data: &Arc<dyn TenantData>, order: &NewOrder) -> WrittenOrder {
    match place(data, order).await {
        PlaceOrderOutcome::Placed(written) => *written,
        PlaceOrderOutcome::Refused(refusal) => panic!("{order:?} was refused: {refusal:?}"),
    }
}

fn mug(stock: Option<u32>) -> Product {
    Product { stock, regular_price: price(200), ..product("mug") }
}

/// The order stays the same when the product changes or is retired.
pub async fn an_order_keeps_the_product_as_it_was(database: Arc<dyn Database>) {
    let data = shop(&database, mug(Some(10)), 1_000).await;
    let new = NewOrder { at: build::on_day(1), ..pieces(2, order("o1", "u1", "mug")) };
    placed(&data, &new).await;
    let changed = Product { sku: "new".into(), title: "New".into(), regular_price: price(1), ..mug(None) };
    put_product(&data, changed).await;
    data.write(RetireProducts { ids: vec![build::product_id("mug")], at: build::on_day(2) }).await.unwrap();
    let expected = Order {
        id: build::order_id("o1"),
        number: "NO-o1".into(),
        user_id: build::user_id("u1"),
        product: OrderedProduct {
            id: build::product_id("mug"),
            sku: "sku-mug".into(),
            title: "Product mug".into(),
            price: price(200),
        },
        quantity: new.quantity,
        points: build::points(400),
        takes_stock: true,
        status: OrderStatus::Placed,
        created_at: build::on_day(1),
        fulfilled_at: None,
        cancelled_at: None,
    };
    assert_eq!(data.order(&build::order_id("o1")).await.unwrap(), Some(expected));
}

/// The cost may be the largest amount of points.
pub async fn an_order_may_cost_the_largest_amount(database: Arc<dyn Database>) {
    let data = shop(&database, Product { regular_price: price(MAX_POINTS), ..mug(None) }, MAX_POINTS).await;
    let written = placed(&data, &order("o1", "u1", "mug")).await;
    assert_eq!((written.user_points.get(), written.order.points.get()), (0, MAX_POINTS));
}

/// Changes the threshold of the only tenant.
async fn set_threshold(database: &Arc<dyn Database>, low_stock_threshold: u32) {
    let settings = TenantSettings { low_stock_threshold, ..TenantSettings::default() };
    database.update_tenant(&Tenant { settings, ..build::tenant("acme") }, &[]).await.unwrap();
}

/// The current threshold counts, not the one that the process knows. One order may skip a class.
pub async fn the_threshold_of_the_tenant_decides_the_class(database: Arc<dyn Database>) {
    let data = shop(&database, mug(Some(9)), 10_000).await;
    set_threshold(&database, 8).await;
    assert!(placed(&data, &order("o1", "u1", "mug")).await.changes_catalogue);
    assert!(!placed(&data, &order("o2", "u1", "mug")).await.changes_catalogue);
    assert!(!done(&data, "o1", &cancel("o1")).await.changes_catalogue);
    assert!(done(&data, "o2", &cancel("o2")).await.changes_catalogue);
    set_threshold(&database, 0).await;
    assert!(!placed(&data, &pieces(8, order("o3", "u1", "mug"))).await.changes_catalogue);
    assert!(placed(&data, &order("o4", "u1", "mug")).await.changes_catalogue);
}

/// The threshold applies from the creation of the tenant.
pub async fn a_new_tenant_has_its_own_threshold(database: Arc<dyn Database>) {
    let settings = TenantSettings { low_stock_threshold: 8, ..TenantSettings::default() };
    let tenant = Tenant { settings, ..build::tenant("acme") };
    database.insert_tenant(&tenant, &[]).await.unwrap();
    let data = database.tenant(&tenant.id);
    put_product(&data, mug(Some(9))).await;
    award(&data, "u1", 1_000).await;
    assert!(placed(&data, &order("o1", "u1", "mug")).await.changes_catalogue);
}

/// Snapshots may have any stock on the same side of the old threshold, so all limited products count as changed.
pub async fn another_threshold_changes_every_limited_product(database: Arc<dyn Database>) {
    let data = shop(&database, mug(Some(9)), 1_000).await;
    for product in [product("unlimited"), Product { stock: Some(1), ..product("retired") }] {
        put_product(&data, product).await;
    }
    data.write(RetireProducts { ids: vec![build::product_id("retired")], at: build::noon() }).await.unwrap();
    assert!(!placed(&data, &order("o1", "u1", "mug")).await.changes_catalogue);
    let before = data.catalogue_version().await.unwrap();
    set_threshold(&database, 5).await;
    assert_eq!(data.catalogue_version().await.unwrap(), before, "the same threshold changes nothing");
    set_threshold(&database, 8).await;
    assert_eq!(data.catalogue_version().await.unwrap(), CatalogueVersion(before.0 + 1));
    let changes = data.product_changes(before, None, 10).await.unwrap();
    assert_eq!(changes, [ProductChange::Upserted(Box::new(mug(Some(8))))]);
}
