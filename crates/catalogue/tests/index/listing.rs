//! Every list equals the model's.

use pointbook_catalogue::index::{ProductFilter, ProductQuery, ProductSort};
use pointbook_domain::{CategoryId, PageNumber, PageRequest, PageSize};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::generate::{model, page, query};
use crate::model::{Model, answer, view};

const EVERYTHING: u32 = 100_000;

fn first_page(size: u32) -> PageRequest {
    PageRequest { number: PageNumber::FIRST, size: PageSize::new(size).unwrap() }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_list_is_what_filtering_sorting_and_paging_gives(
        model in model(180),
        asked in vec((query(), page()), 12),
    ) {
        let snapshot = model.snapshot();
        for (query, page) in asked {
            prop_assert_eq!(answer(&snapshot, &query, page), model.list(&query, page), "{:?} {:?}", query, page);
        }
    }

    #[test]
    fn each_filter_alone_is_what_filtering_gives(model in model(180), full in query()) {
        let snapshot = model.snapshot();
        for filter in single_filters(&full.filter) {
            for sort in [ProductSort::Newest, ProductSort::PriceAscending, ProductSort::PriceDescending] {
                let query = ProductQuery { filter: filter.clone(), sort };
                let page = first_page(EVERYTHING);
                prop_assert_eq!(answer(&snapshot, &query, page), model.list(&query, page), "{:?}", query);
            }
        }
    }

    #[test]
    fn pages_in_a_row_are_the_whole_list(model in model(120), query in query(), size in 1_u32..9) {
        let snapshot = model.snapshot();
        let whole = snapshot.list(&query, first_page(EVERYTHING));
        let size = PageSize::new(size).unwrap();
        let mut met = Vec::new();
        for number in 1.. {
            let page = snapshot.list(&query, PageRequest { number: PageNumber::new(number).unwrap(), size });
            prop_assert_eq!(page.total, whole.total);
            if page.items.is_empty() {
                break;
            }
            met.extend(page.items);
        }
        prop_assert_eq!(met, whole.items);
    }
}

/// The filter cut down to one restriction at a time; its flags are tried in any case.
fn single_filters(full: &ProductFilter) -> Vec<ProductFilter> {
    let none = ProductFilter::default();
    let ProductFilter { categories, titles, min_price, max_price, new_since, .. } = full.clone();
    vec![
        none.clone(),
        ProductFilter { categories, ..none.clone() },
        ProductFilter { titles, ..none.clone() },
        ProductFilter { min_price, max_price, ..none.clone() },
        ProductFilter { new_since, ..none.clone() },
        ProductFilter { low_stock: true, ..none.clone() },
        ProductFilter { on_sale: true, ..none.clone() },
        ProductFilter { popular: true, ..none },
    ]
}

fn sample() -> Model {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;
    model(180).new_tree(&mut TestRunner::deterministic()).unwrap().current()
}

#[test]
fn without_restrictions_every_listed_product_is_there() {
    let model = Model {
        options: pointbook_catalogue::index::SnapshotOptions { hide_sold_out: false, ..sample().options },
        ..sample()
    };
    let listed = model.snapshot().list(&ProductQuery::default(), first_page(EVERYTHING)).total;
    let visible = model.products.values().filter(|product| model.is_visible(product)).count();
    assert!(visible > 0);
    assert_eq!(listed, visible as u64);
    assert_eq!(model.snapshot().product_count(), visible);
}

#[test]
fn a_lowest_price_above_the_highest_matches_nothing() {
    let snapshot = sample().snapshot();
    for sort in [ProductSort::Newest, ProductSort::PriceAscending, ProductSort::PriceDescending] {
        let filter = ProductFilter { min_price: Some(5), max_price: Some(4), ..ProductFilter::default() };
        let page = snapshot.list(&ProductQuery { filter, sort }, first_page(15));
        assert_eq!((page.total, page.items.len()), (0, 0));
    }
}

#[test]
fn an_unknown_category_has_no_products() {
    let snapshot = sample().snapshot();
    let total = |ids: &[&str]| {
        let categories = Some(ids.iter().map(|&id| CategoryId::new(id).unwrap()).collect());
        let filter = ProductFilter { categories, ..ProductFilter::default() };
        snapshot.list(&ProductQuery { filter, ..ProductQuery::default() }, first_page(15)).total
    };
    assert_eq!(total(&["ghost"]), 0);
    assert_eq!(total(&[]), 0);
    assert!(total(&["c0"]) + total(&["c1"]) + total(&["c2"]) > 0);
    assert_eq!(total(&["ghost", "c0"]), total(&["c0"]));
}

#[test]
fn page_beyond_last_keeps_total() {
    let snapshot = sample().snapshot();
    let last =
        PageRequest { number: PageNumber::new(i32::MAX.unsigned_abs()).unwrap(), size: PageSize::DEFAULT };
    let page = snapshot.list(&ProductQuery::default(), last);
    let first = snapshot.list(&ProductQuery::default(), first_page(15));
    assert_eq!((page.total, page.items.len()), (first.total, 0));
}

#[test]
fn detail_is_the_fragment_of_the_list() {
    let model = sample();
    let snapshot = model.snapshot();
    for product in model.products.values().filter(|product| model.is_visible(product)) {
        let detail = snapshot.product(product.id.as_str()).unwrap();
        assert_eq!(serde_json::from_slice::<serde_json::Value>(detail.json).unwrap(), view(product));
    }
}
