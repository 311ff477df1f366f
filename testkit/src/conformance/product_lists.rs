//! Facts of the product lists of an operator.

use std::sync::Arc;

use pointbook_catalogue::commands::RetireProducts;
use pointbook_domain::{CategoryId, Product};
use pointbook_store::ports::{
    CatalogueVersion, Database, SortedBy, StoredProduct, StoredProductFilter, StoredProductSort, TenantData,
};

use super::add_tenant;
use super::orders::{award, placed, put_product};
use crate::build;
use crate::build::{order, product, product_id};

async fn listed(data: &Arc<dyn TenantData>, search: Option<&str>, number: u32, size: u32) -> (String, u64) {
    let page =
        data.products(&StoredProductFilter::of_search(search), build::page(number, size)).await.unwrap();
    let ids: Vec<_> = page.items.iter().map(|stored| stored.product.id.as_str()).collect();
    (ids.join(" "), page.total)
}

fn named(id: &str, sku: &str, title: &str) -> Product {
    Product { sku: sku.into(), title: title.into(), ..product(id) }
}

/// Seven products, of which one is inactive, and a retired one.
async fn seven_products(database: &Arc<dyn Database>) -> Arc<dyn TenantData> {
    let data = add_tenant(database, "acme").await;
    for product in [
        named("か", "S-7", "かばん"),
        named("b", "MUG-2", "Small"),
        named("mug", "S-1", "Large"),
        named("Z", "S-2", "A Mug, 100 %"),
        Product { active: false, ..named("a", "S-3", "Under_score") },
        named("é", "S-4", "Émail"),
        named("c", "S-5", "Plain"),
        named("gone", "S-6", "A mug"),
    ] {
        put_product(&data, product).await;
    }
    data.write(RetireProducts { ids: vec![product_id("gone")], at: build::noon() }).await.unwrap();
    data
}

/// These fields are the reserved pieces, and the version in which clients last saw a change.
pub async fn product_is_read_with_the_operators_fields(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    award(&data, "u1", 10_000).await;
    let mug = Product { stock: Some(9), ..product("mug") };
    put_product(&data, mug.clone()).await;
    put_product(&data, product("other")).await;
    placed(&data, &build::pieces(2, order("o1", "u1", "mug"))).await;
    let product = Product { stock: Some(7), ..mug };
    let stored = StoredProduct { product, reserved: 2, version: CatalogueVersion(1) };
    assert_eq!(data.product(&product_id("mug")).await.unwrap(), Some(stored.clone()));
    let mugs = StoredProductFilter::of_search(Some("mug"));
    assert_eq!(data.products(&mugs, build::page(1, 5)).await.unwrap().items, [stored]);
    placed(&data, &build::pieces(2, order("o2", "u1", "mug"))).await;
    let stored = data.product(&product_id("mug")).await.unwrap().unwrap();
    assert_eq!((stored.product.stock, stored.reserved, stored.version), (Some(5), 4, CatalogueVersion(3)));
}

/// It is read like an unknown product.
pub async fn a_retired_product_is_not_read(database: Arc<dyn Database>) {
    let data = seven_products(&database).await;
    assert_eq!(data.product(&product_id("gone")).await.unwrap(), None);
    assert_eq!(data.product(&product_id("never")).await.unwrap(), None);
    assert!(data.product(&product_id("a")).await.unwrap().is_some());
    assert_eq!(listed(&data, Some("gone"), 1, 20).await, (String::new(), 0));
}

/// The order is by code point. Inactive products are listed, too.
pub async fn products_are_listed_by_id(database: Arc<dyn Database>) {
    let data = seven_products(&database).await;
    assert_eq!(listed(&data, None, 1, 20).await, ("Z a b c mug é か".into(), 7));
}

/// Any of the three fields may match. Letters are compared without case, and no character is a wildcard.
pub async fn products_are_found_by_id_sku_and_title(database: Arc<dyn Database>) {
    let data = seven_products(&database).await;
    for (part, expected, total) in [
        ("mug", "Z b mug", 3),
        ("MuG", "Z b mug", 3),
        ("s-4", "é", 1),
        ("_", "a", 1),
        ("%", "Z", 1),
        ("É", "é", 1),
        ("ば", "か", 1),
        ("score", "a", 1),
        ("nothing", "", 0),
        ("\0", "", 0),
        ("\\", "", 0),
    ] {
        assert_eq!(listed(&data, Some(part), 1, 20).await, (expected.to_owned(), total), "{part:?}");
    }
}

/// Each page has the total of the search, also the last one and those beyond it.
pub async fn products_come_in_pages(database: Arc<dyn Database>) {
    let data = seven_products(&database).await;
    let last = pointbook_domain::page::MAX_PAGE_NUMBER;
    assert_eq!(listed(&data, None, 1, 3).await, ("Z a b".into(), 7));
    assert_eq!(listed(&data, None, 3, 3).await, ("か".into(), 7));
    for (number, size) in [(4, 3), (2, 7), (last, 1_000)] {
        assert_eq!(listed(&data, None, number, size).await, (String::new(), 7));
    }
    assert_eq!(listed(&data, Some("mug"), 2, 2).await, ("mug".into(), 3));
    assert_eq!(listed(&data, Some("mug"), 3, 2).await, (String::new(), 3));
}

/// Each condition alone, and two of them together. The bounds belong to the ranges.
pub async fn products_are_found_by_each_condition(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let of = |categories: &[&str]| categories.iter().map(|id| CategoryId::new(*id).unwrap()).collect();
    let later = build::noon().plus_seconds(60);
    for product in [
        Product { categories: of(&["cups", "a\"b"]), popular: true, ..product("a") },
        Product { sale_price: Some(build::price(40)), stock: Some(0), ..product("b") },
        Product { categories: of(&["Cups"]), stock: Some(5), active: false, ..product("c") },
        Product { regular_price: build::price(40), published_at: later, stock: Some(6), ..product("d") },
    ] {
        put_product(&data, product).await;
    }
    let all = StoredProductFilter::default;
    let in_categories = |ids: &[&str]| StoredProductFilter { categories: Some(of(ids)), ..all() };
    let at_price = |price| StoredProductFilter { price: Some(price), ..all() };
    for (filter, expected) in [
        (in_categories(&["cups"]), "a"),
        (in_categories(&["a\"b", "Cups"]), "a c"),
        (in_categories(&["cup", "ups"]), ""),
        (in_categories(&[]), ""),
        (at_price([40, 40]), "b d"),
        (at_price([41, i64::MAX]), "a c"),
        (at_price([50, 45]), ""),
        (StoredProductFilter { published: Some([build::noon(), build::noon()]), ..all() }, "a b c"),
        (StoredProductFilter { published: Some([later, later]), ..all() }, "d"),
        (StoredProductFilter { stock: Some([1, 5]), ..all() }, "c"),
        (StoredProductFilter { stock: Some([0, 6]), ..all() }, "b c d"),
        (StoredProductFilter { on_sale: true, ..all() }, "b"),
        (StoredProductFilter { popular: true, ..all() }, "a"),
        (StoredProductFilter { active: Some(true), ..all() }, "a b d"),
        (StoredProductFilter { active: Some(false), ..all() }, "c"),
        (StoredProductFilter { on_sale: true, search: Some("B".to_owned()), ..at_price([40, 40]) }, "b"),
        (StoredProductFilter { popular: true, active: Some(false), ..all() }, ""),
    ] {
        let page = data.products(&filter, build::page(1, 20)).await.unwrap();
        let ids: Vec<_> = page.items.iter().map(|stored| stored.product.id.as_str()).collect();
        assert_eq!((ids.join(" ").as_str(), page.total), (expected, ids.len() as u64), "{filter:?}");
    }
}

/// Both directions, each with products that are equal. Pages of one product are the same list.
pub async fn products_are_sorted_in_a_total_order(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    award(&data, "u1", 10_000).await;
    for product in [
        Product { title: "mug".into(), stock: Some(3), ..product("d") },
        Product { title: "Émail".into(), ..product("c") },
        Product { title: "Zebra".into(), regular_price: build::price(40), stock: Some(0), ..product("b") },
        Product { title: "Mug".into(), sale_price: Some(build::price(40)), stock: Some(3), ..product("a") },
    ] {
        put_product(&data, product).await;
    }
    placed(&data, &build::pieces(2, order("o1", "u1", "c"))).await;
    for (by, ascending, descending) in [
        (SortedBy::Title, "a d b c", "c b a d"),
        (SortedBy::Price, "a b c d", "c d a b"),
        (SortedBy::Stock, "b a d c", "c a d b"),
        (SortedBy::Reserved, "a b d c", "c a b d"),
        (SortedBy::Version, "d c b a", "a b c d"),
    ] {
        for (is_descending, expected) in [(false, ascending), (true, descending)] {
            let sort = Some(StoredProductSort { by, is_descending });
            let filter = StoredProductFilter { sort, ..StoredProductFilter::default() };
            let mut ids = Vec::new();
            for number in 1..=4 {
                let page = data.products(&filter, build::page(number, 1)).await.unwrap();
                assert_eq!(page.total, 4, "{sort:?}");
                ids.extend(page.items.into_iter().map(|stored| stored.product.id.as_str().to_owned()));
            }
            assert_eq!(ids.join(" "), expected, "{sort:?}");
        }
    }
}
