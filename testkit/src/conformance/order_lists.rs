//! Facts of reading orders.

use std::sync::Arc;

use pointbook_catalogue::commands::RetireProducts;
use pointbook_domain::{Order, OrderStatus, Product};
use pointbook_store::ports::{Database, NewOrder, OrderFilter, OrderStep, TenantData};

use super::order_steps::done;
use super::orders::{award, placed, put_product, shop};
use crate::build;
use crate::build::{cancel, order, pieces, product};

/// Six orders of two users on three days. o5 is cancelled, o2 and o4 are fulfilled.
async fn six_orders(database: &Arc<dyn Database>) -> Arc<dyn TenantData> {
    let data = shop(database, product("mug"), 10_000).await;
    award(&data, "u2", 10_000).await;
    for (id, user, day) in
        [("o3", "u1", 1), ("o1", "u1", 2), ("o2", "u2", 0), ("o4", "u1", 1), ("o5", "u2", 2), ("o6", "u2", 1)]
    {
        placed(&data, &NewOrder { at: build::on_day(day), ..order(id, user, "mug") }).await;
    }
    done(&data, "o5", &cancel("o5")).await;
    done(&data, "o2", &OrderStep::Fulfil).await;
    done(&data, "o4", &OrderStep::Fulfil).await;
    data
}

async fn listed(data: &Arc<dyn TenantData>, filter: &OrderFilter, number: u32, size: u32) -> (String, u64) {
    let page = data.orders(filter, build::page(number, size)).await.unwrap();
    (ids(&page.items), page.total)
}

fn ids(orders: &[Order]) -> String {
    orders.iter().map(|order| order.id.as_str()).collect::<Vec<_>>().join(" ")
}

fn filter(user: Option<&str>, status: Option<OrderStatus>) -> OrderFilter {
    OrderFilter { user_id: user.map(build::user_id), status, search: None }
}

/// Orders of the same time come by id, the largest first.
pub async fn orders_come_newest_first(database: Arc<dyn Database>) {
    let data = six_orders(&database).await;
    let all = OrderFilter::default();
    assert_eq!(listed(&data, &all, 1, 10).await, ("o5 o1 o6 o4 o3 o2".into(), 6));
    for order in data.orders(&all, build::page(1, 10)).await.unwrap().items {
        assert_eq!(data.order(&order.id).await.unwrap(), Some(order));
    }
}

/// The queue is the list from its other end, with the same filters.
pub async fn queued_orders_come_oldest_first(database: Arc<dyn Database>) {
    let data = six_orders(&database).await;
    for (status, number, size, expected, total) in [
        (None, 1, 4, "o2 o3 o4 o6", 6),
        (None, 2, 4, "o1 o5", 6),
        (Some(OrderStatus::Placed), 1, 10, "o3 o6 o1", 3),
        (Some(OrderStatus::Placed), 2, 10, "", 3),
    ] {
        let page = data.queued_orders(&filter(None, status), build::page(number, size)).await.unwrap();
        assert_eq!((ids(&page.items), page.total), (expected.to_owned(), total), "{status:?}");
    }
}

/// An order that was closed meanwhile is still a place in the list.
pub async fn orders_are_read_part_by_part(database: Arc<dyn Database>) {
    let data = six_orders(&database).await;
    let waiting = filter(None, Some(OrderStatus::Placed));
    let first = data.orders_after(&waiting, None, 2).await.unwrap();
    assert_eq!(ids(&first), "o3 o6");
    done(&data, "o6", &OrderStep::Fulfil).await;
    assert_eq!(ids(&data.orders_after(&waiting, first.last(), 2).await.unwrap()), "o1");
    let of_user = filter(Some("u2"), None);
    assert_eq!(ids(&data.orders_after(&of_user, None, 10).await.unwrap()), "o2 o6 o5");
}

/// The number, the user, the title and the SKU are searched, in any case of letters.
pub async fn orders_are_found_by_a_part(database: Arc<dyn Database>) {
    let data = six_orders(&database).await;
    let all = data.orders(&OrderFilter::default(), build::page(1, 10)).await.unwrap().items;
    for order in &all {
        for text in [&order.number, order.user_id.as_str(), &order.product.title, &order.product.sku] {
            for part in [text.to_lowercase(), text.to_uppercase()] {
                let has_part = |text: &str| text.to_lowercase().contains(&part.to_lowercase());
                let texts = |order: &Order| {
                    let Order { number, user_id, product, .. } = order;
                    [number.as_str(), user_id.as_str(), &product.title, &product.sku].map(has_part)
                };
                let expected = ids(&all
                    .iter()
                    .filter(|order| texts(order).contains(&true))
                    .cloned()
                    .collect::<Vec<_>>());
                let filter = OrderFilter { search: Some(part.clone()), ..OrderFilter::default() };
                let found = data.orders(&filter, build::page(1, 10)).await.unwrap();
                assert_eq!(ids(&found.items), expected, "{part}");
            }
        }
    }
    let none = OrderFilter { search: Some("no such order".to_owned()), ..OrderFilter::default() };
    assert_eq!(listed(&data, &none, 1, 10).await, (String::new(), 0));
}

/// Filters are user, status, and both.
pub async fn orders_are_filtered(database: Arc<dyn Database>) {
    use OrderStatus::{Cancelled, Fulfilled, Placed};
    let data = six_orders(&database).await;
    for (user, status, expected, total) in [
        (Some("u1"), None, "o1 o4 o3", 3),
        (Some("u2"), None, "o5 o6 o2", 3),
        (None, Some(Placed), "o1 o6 o3", 3),
        (None, Some(Fulfilled), "o4 o2", 2),
        (None, Some(Cancelled), "o5", 1),
        (Some("u1"), Some(Fulfilled), "o4", 1),
        (Some("u1"), Some(Cancelled), "", 0),
        (Some("U1"), None, "", 0),
    ] {
        let page = listed(&data, &filter(user, status), 1, 10).await;
        assert_eq!(page, (expected.to_owned(), total), "{user:?} {status:?}");
    }
}

/// Each order is on one page, and each page has the total of the filter.
pub async fn orders_are_paged(database: Arc<dyn Database>) {
    let data = six_orders(&database).await;
    for (user, number, size, expected, total) in [
        (None, 1, 4, "o5 o1 o6 o4", 6),
        (None, 2, 4, "o3 o2", 6),
        (Some("u1"), 1, 2, "o1 o4", 3),
        (Some("u1"), 2, 2, "o3", 3),
    ] {
        let page = listed(&data, &filter(user, None), number, size).await;
        assert_eq!(page, (expected.to_owned(), total));
    }
}

/// This holds up to the largest page number.
pub async fn a_page_of_orders_beyond_the_last_keeps_the_total(database: Arc<dyn Database>) {
    let data = six_orders(&database).await;
    let last = pointbook_domain::page::MAX_PAGE_NUMBER;
    for (number, size) in [(3, 3), (2, 6), (last, 1), (last, 1_000)] {
        assert_eq!(listed(&data, &OrderFilter::default(), number, size).await, (String::new(), 6));
        assert_eq!(listed(&data, &filter(Some("u2"), None), number, size).await, (String::new(), 3));
    }
}

/// Pieces count, not orders. Cancelled and old orders do not count. Ids break ties.
pub async fn the_most_ordered_products_come_first(database: Arc<dyn Database>) {
    let data = shop(&database, product("a"), 100_000).await;
    for id in ["b", "c", "d", "never"] {
        put_product(&data, product(id)).await;
    }
    for (id, product, quantity, day) in [
        ("old", "a", 9, 1),
        ("a1", "a", 2, 2),
        ("b1", "b", 1, 3),
        ("b2", "b", 1, 4),
        ("c1", "c", 5, 3),
        ("d1", "d", 9, 3),
        ("d2", "d", 1, 3),
    ] {
        let at = build::on_day(day);
        placed(&data, &NewOrder { at, ..pieces(quantity, order(id, "u1", product)) }).await;
    }
    done(&data, "d1", &cancel("d1")).await;
    done(&data, "c1", &OrderStep::Fulfil).await;
    let most = async |limit| {
        let ids = data.most_ordered(build::on_day(2), limit).await.unwrap();
        ids.iter().map(|id| id.as_str().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(most(10).await, ["c", "a", "b", "d"]);
    assert_eq!(most(2).await, ["c", "a"]);
    assert_eq!(data.most_ordered(build::on_day(1), 1).await.unwrap(), [build::product_id("a")]);
    assert_eq!(data.most_ordered(build::on_day(5), 10).await.unwrap(), []);
}

/// Such products would displace those that clients see.
pub async fn the_most_ordered_products_are_neither_retired_nor_inactive(database: Arc<dyn Database>) {
    let data = shop(&database, product("gone"), 100_000).await;
    for id in ["hidden", "seen", "sold out"] {
        put_product(&data, Product { stock: Some(10), ..product(id) }).await;
    }
    for (id, quantity, product) in
        [("o1", 9, "gone"), ("o2", 8, "hidden"), ("o3", 10, "sold out"), ("o4", 1, "seen")]
    {
        placed(&data, &pieces(quantity, order(id, "u1", product))).await;
    }
    data.write(RetireProducts { ids: vec![build::product_id("gone")], at: build::noon() }).await.unwrap();
    put_product(&data, Product { active: false, ..product("hidden") }).await;
    let most = data.most_ordered(build::noon(), 2).await.unwrap();
    assert_eq!(most, [build::product_id("sold out"), build::product_id("seen")]);
}

/// A number is compared exactly.
pub async fn an_order_is_found_by_its_number(database: Arc<dyn Database>) {
    let data = six_orders(&database).await;
    let all = data.orders(&OrderFilter::default(), build::page(1, 10)).await.unwrap().items;
    for order in all {
        assert_eq!(data.order_with_number(&order.number).await.unwrap().as_ref(), Some(&order));
        assert_eq!(data.order_with_number(&format!("{} ", order.number)).await.unwrap(), None);
    }
    assert_eq!(data.order_with_number("").await.unwrap(), None);
}
