//! Facts of refused orders, which change nothing. The ledger model has those for stock and points.

use std::sync::Arc;

use pointbook_catalogue::commands::RetireProducts;
use pointbook_domain::points::MAX_POINTS;
use pointbook_domain::{OrderRefusal, Product};
use pointbook_store::ports::{Database, NewOrder, PlaceOrderOutcome, TenantData};

use super::orders::{place, placed, put_product, shop};
use super::state::tenant_state;
use crate::build;
use crate::build::{order, pieces, price, product};

/// Panics unless the order is refused for this reason and nothing changes.
async fn assert_refused(data: &Arc<dyn TenantData>, order: &NewOrder, reason: OrderRefusal) {
    let before = tenant_state(data).await;
    assert_eq!(place(data, order).await, PlaceOrderOutcome::Refused(reason), "{order:?}");
    assert_eq!(tenant_state(data).await, before);
    assert_eq!(data.order(&order.id).await.unwrap(), None);
}

fn mug(stock: Option<u32>) -> Product {
    Product { stock, ..product("mug") }
}

/// Such a product is unknown, retired, inactive, or published later.
pub async fn product_hidden_from_clients_is_not_sold(database: Arc<dyn Database>) {
    let data = shop(&database, mug(Some(9)), 1_000).await;
    for (id, hidden) in [
        ("inactive", Product { active: false, ..product("inactive") }),
        ("later", Product { published_at: build::at(1), ..product("later") }),
        ("retired", product("retired")),
    ] {
        put_product(&data, hidden).await;
        if id == "retired" {
            data.write(RetireProducts { ids: vec![build::product_id(id)], at: build::noon() }).await.unwrap();
        }
        assert_refused(&data, &order("o1", "u1", id), OrderRefusal::UnknownProduct).await;
    }
    assert_refused(&data, &order("o1", "u1", "Mug"), OrderRefusal::UnknownProduct).await;
    placed(&data, &NewOrder { at: build::at(1), ..order("o1", "u1", "later") }).await;
}

/// This holds for any stock and balance.
pub async fn a_price_beyond_the_bounds_is_not_taken(database: Arc<dyn Database>) {
    let data = shop(&database, Product { regular_price: price(MAX_POINTS), ..mug(None) }, MAX_POINTS).await;
    assert_refused(&data, &pieces(2, order("o1", "u1", "mug")), OrderRefusal::OutOfRange).await;
    assert_refused(&data, &pieces(1_000, order("o1", "u1", "mug")), OrderRefusal::OutOfRange).await;
}

/// The product is checked before the balance.
pub async fn a_refusal_names_the_first_reason(database: Arc<dyn Database>) {
    let data = shop(&database, Product { active: false, ..mug(Some(0)) }, 0).await;
    assert_refused(&data, &order("o1", "u1", "mug"), OrderRefusal::UnknownProduct).await;
    put_product(&data, mug(Some(0))).await;
    assert_refused(&data, &order("o1", "u1", "mug"), OrderRefusal::SoldOut).await;
    put_product(&data, Product { regular_price: price(MAX_POINTS), ..mug(Some(1)) }).await;
    assert_refused(&data, &pieces(2, order("o1", "u1", "mug")), OrderRefusal::NotEnoughStock).await;
    put_product(&data, Product { regular_price: price(MAX_POINTS), ..mug(Some(2)) }).await;
    assert_refused(&data, &pieces(2, order("o1", "u1", "mug")), OrderRefusal::OutOfRange).await;
    assert_refused(&data, &order("o1", "u1", "mug"), OrderRefusal::TooFewPoints).await;
}
