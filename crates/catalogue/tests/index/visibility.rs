//! Which products exist for clients, and when.

use pointbook_catalogue::index::{
    Marks, ProductFilter, ProductQuery, Snapshot, SnapshotBuilder, SnapshotOptions,
};
use pointbook_domain::{CategoryTree, PageNumber, PageRequest, PageSize, Product, ProductId};

use crate::generate::{at, key};

const OPTIONS: SnapshotOptions = SnapshotOptions { low_stock_threshold: 5, hide_sold_out: false };

fn product(id: &str) -> Product {
    Product::blank(ProductId::new(id).unwrap(), at(0))
}

fn snapshot(options: SnapshotOptions, products: &[Product]) -> Snapshot {
    let mut builder = SnapshotBuilder::new(options, key());
    for product in products {
        builder.upsert(product);
    }
    builder.build(&CategoryTree::default(), &[], at(0))
}

fn total(snapshot: &Snapshot, filter: ProductFilter) -> u64 {
    let page = PageRequest { number: PageNumber::FIRST, size: PageSize::DEFAULT };
    snapshot.list(&ProductQuery { filter, ..ProductQuery::default() }, page).total
}

#[test]
fn an_inactive_product_does_not_exist() {
    let snapshot = snapshot(OPTIONS, &[Product { active: false, ..product("a") }]);
    assert_eq!(total(&snapshot, ProductFilter::default()), 0);
    assert_eq!(snapshot.product("a"), None);
    assert_eq!((snapshot.product_count(), snapshot.next_change_at()), (0, None));
}

#[test]
fn an_inactive_future_product_changes_nothing() {
    let waiting = Product { active: false, published_at: at(5), ..product("a") };
    assert_eq!(snapshot(OPTIONS, &[waiting]).next_change_at(), None);
}

#[test]
fn a_future_product_exists_from_its_publication_on() {
    let waiting =
        [Product { published_at: at(9), ..product("b") }, Product { published_at: at(5), ..product("a") }];
    let before = snapshot(OPTIONS, &waiting);
    assert_eq!((total(&before, ProductFilter::default()), before.product("a")), (0, None));
    assert_eq!(before.next_change_at(), Some(at(5)));

    let after = SnapshotBuilder::from_snapshot(&before).build(&CategoryTree::default(), &[], at(5));
    assert_eq!(total(&after, ProductFilter::default()), 1);
    assert!(after.product("a").is_some() && after.product("b").is_none());
    assert_eq!(after.next_change_at(), Some(at(9)));
}

#[test]
fn a_visible_product_without_pieces_is_sold_out() {
    let stock = |id: &str, stock| Product { stock, ..product(id) };
    let inactive = Product { active: false, ..stock("c", Some(0)) };
    let before = snapshot(OPTIONS, &[stock("a", Some(0)), stock("b", Some(1)), stock("d", None), inactive]);
    let sold_out =
        |snapshot: &Snapshot| ["a", "b", "c", "d", "e"].map(|id| snapshot.marks(id, at(0)).is_sold_out);
    assert_eq!(sold_out(&before), [true, false, false, false, false]);
    let mut changed = SnapshotBuilder::from_snapshot(&before);
    changed.upsert(&stock("a", Some(2)));
    changed.upsert(&stock("b", Some(0)));
    let after = changed.build(&CategoryTree::default(), &[], at(0));
    assert_eq!(sold_out(&after), [false, true, false, false, false]);
}

/// Each mark has the rule of its filter.
#[test]
fn a_visible_product_has_the_marks_that_its_filters_find() {
    let limited = Product { stock: Some(5), published_at: at(3), ..product("a") };
    let marked = Product { stock: Some(6), popular: true, ..product("b") };
    let hidden = Product { active: false, popular: true, stock: Some(1), ..product("d") };
    let mut builder = SnapshotBuilder::new(OPTIONS, key());
    for product in [limited, marked, product("c"), hidden] {
        builder.upsert(&product);
    }
    let ordered = ["c", "d"].map(|id| ProductId::new(id).unwrap());
    let snapshot = builder.build(&CategoryTree::default(), &ordered, at(4));
    let marks = |id: &str| snapshot.marks(id, at(2));
    assert_eq!(marks("a"), Marks { is_low_stock: true, is_new: true, ..Marks::default() });
    assert!(!snapshot.marks("a", at(3)).is_new, "as the filter: after this moment");
    let popular = Marks { is_popular: true, ..Marks::default() };
    assert_eq!([marks("b"), marks("c")], [popular; 2]);
    assert_eq!([marks("d"), marks("e")], [Marks::default(); 2]);
}

#[test]
fn a_hidden_sold_out_product_leaves_the_list_only() {
    let products = [Product { stock: Some(0), ..product("a") }, Product { stock: Some(1), ..product("b") }];
    let shown = snapshot(OPTIONS, &products);
    assert_eq!(total(&shown, ProductFilter::default()), 2);
    let hidden = snapshot(SnapshotOptions { hide_sold_out: true, ..OPTIONS }, &products);
    assert_eq!(total(&hidden, ProductFilter::default()), 1);
    assert_eq!(hidden.product("a"), shown.product("a"));
    assert!(hidden.product("a").is_some());
    assert_eq!(hidden.product_count(), 2);
}

#[test]
fn low_stock_is_limited_at_or_below_the_threshold_and_not_sold_out() {
    let stocked = |id: &str, stock| Product { stock, ..product(id) };
    let stocks = [stocked("a", None), stocked("b", Some(0)), stocked("c", Some(5)), stocked("d", Some(6))];
    let filter = ProductFilter { low_stock: true, ..ProductFilter::default() };
    assert_eq!(total(&snapshot(OPTIONS, &stocks), filter), 1);
}

#[test]
fn popular_is_what_is_marked_or_most_ordered() {
    let products = [Product { popular: true, ..product("a") }, product("b"), product("c"), product("d")];
    let unmarked = snapshot(OPTIONS, &products);
    let popular = || ProductFilter { popular: true, ..ProductFilter::default() };
    assert_eq!(total(&unmarked, popular()), 1);
    let most_ordered = ["d", "gone", "a", "b", "d"].map(|id| ProductId::new(id).unwrap());
    let build = |most_ordered: &[ProductId]| {
        SnapshotBuilder::from_snapshot(&unmarked).build(&CategoryTree::default(), most_ordered, at(0))
    };
    assert_eq!(total(&build(&most_ordered), popular()), 3);
    assert_eq!(total(&build(&[]), popular()), 1, "what was ordered most before is forgotten");
}

#[test]
fn a_product_published_at_the_window_s_start_is_not_new() {
    let snapshot = snapshot(OPTIONS, &[Product { published_at: at(-7), ..product("a") }]);
    let since = |micros| ProductFilter { new_since: Some(at(micros)), ..ProductFilter::default() };
    assert_eq!((total(&snapshot, since(-7)), total(&snapshot, since(-8))), (0, 1));
}

#[test]
fn an_unknown_or_empty_id_has_no_detail() {
    let snapshot = snapshot(OPTIONS, &[product("b")]);
    for id in ["", "a", "c", "bb", &"x".repeat(10_000)] {
        assert_eq!(snapshot.product(id), None, "{id}");
    }
    assert_eq!(self::snapshot(OPTIONS, &[]).product(""), None);
}

#[test]
fn rendered_json_is_part_of_the_memory() {
    let snapshot = snapshot(OPTIONS, &[product("b")]);
    assert!(snapshot.memory_bytes() > snapshot.product("b").unwrap().json.len() + b"[]".len());
}
