//! Catalogues and queries with all that is awkward: weird titles, equal prices, ids beyond ASCII.

use std::sync::Arc;

use pointbook_catalogue::index::{ProductFilter, ProductQuery, ProductSort, SnapshotOptions};
use pointbook_domain::{
    Category, CategoryId, CategoryTree, PageNumber, PageRequest, PageSize, Price, Product, ProductId,
    Timestamp,
};
use pointbook_store::content_key::ContentKey;
use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::*;

use crate::model::Model;

/// Titles and search parts are made of these, so that they often meet.
const FRAGMENTS: [&str; 36] = [
    "a",
    "B",
    "cafe",
    "Café",
    "CAFE\u{301}",
    "Straße",
    "STRASSE",
    "ss",
    "か",
    "が",
    "か\u{3099}",
    "ｶﾞ",
    "珈琲",
    "😀",
    "👩\u{200D}👩",
    "İ",
    "I",
    "ı",
    "i",
    "100%",
    "%",
    "_",
    ",",
    "\n",
    " ",
    "\u{301}",
    "\u{3099}",
    "ﬁ",
    "fi",
    "Ａ",
    "Ǆ",
    "σς",
    "ΣΣ",
    "\\",
    "\"",
    "각",
];

/// The moment of every generated catalogue.
pub(crate) const NOW_MICROS: i64 = 1_700_000_000_000_000;

pub(crate) fn at(micros_from_now: i64) -> Timestamp {
    Timestamp::from_micros(NOW_MICROS + micros_from_now).unwrap()
}

pub(crate) fn product_id() -> impl Strategy<Value = ProductId> {
    let odd = prop::sample::select(vec!["Z", "a/b", "é", "\u{FF21}", "😀", "p 1,2", "%2F"]);
    prop_oneof![9 => (0..200).prop_map(|number| format!("p{number}")), 1 => odd.prop_map(String::from)]
        .prop_map(|text| ProductId::new(text).unwrap())
}

fn text(fragments: std::ops::Range<usize>) -> impl Strategy<Value = String> {
    vec(prop::sample::select(FRAGMENTS.to_vec()), fragments).prop_map(|parts| parts.concat())
}

fn price() -> impl Strategy<Value = Price> {
    prop_oneof![0_i64..6, 0_i64..500, Just((1 << 53) - 1)].prop_map(|amount| Price::new(amount).unwrap())
}

/// `c0` to `c7` may stand in the tree, `ghost` never does.
fn category_id() -> impl Strategy<Value = CategoryId> {
    let names = (0..8).map(|number| format!("c{number}")).chain(["ghost".to_owned()]);
    prop::sample::select(names.collect::<Vec<_>>()).prop_map(|name| CategoryId::new(name).unwrap())
}

prop_compose! {
    pub(crate) fn product(id: ProductId)(
        title in text(0..5),
        (regular_price, sale_price) in (price(), option::of(price())),
        categories in vec(category_id(), 0..4),
        stock in option::of(0_u32..8),
        (popular, active) in (any::<bool>(), prop::bool::weighted(0.9)),
        published_micros in prop_oneof![-4_i64..3, -90_i64..1],
        (thumbnail, gallery) in (text(0..2), vec(text(0..2), 0..2)),
    ) -> Product {
        Product {
            sku: format!("sku {id}"),
            description: format!("<p>{title}\",\"thumbnail\":\"</p>"),
            description_source: "<script>".into(),
            title,
            regular_price,
            sale_price,
            thumbnail,
            gallery,
            categories,
            stock,
            popular,
            active,
            ..Product::blank(id.clone(), at(published_micros))
        }
    }
}

pub(crate) fn any_product() -> impl Strategy<Value = Product> {
    product_id().prop_flat_map(product)
}

/// Each of `c0` to `c7` is left out, a root, or below one with a lower number.
pub(crate) fn tree() -> impl Strategy<Value = CategoryTree> {
    vec(option::weighted(0.8, 0_usize..9), 8).prop_map(|parents| {
        let present: Vec<Option<usize>> = parents
            .iter()
            .enumerate()
            .map(|(number, parent)| parent.map(|parent| if parent < number { parent } else { ROOT }))
            .collect();
        CategoryTree::new(level(&present, ROOT)).unwrap()
    })
}

const ROOT: usize = usize::MAX;

fn level(parents: &[Option<usize>], parent: usize) -> Vec<Category> {
    let is_here = |number: &usize| parents.get(*number) == Some(&Some(parent));
    let category = |number: usize| Category {
        id: CategoryId::new(format!("c{number}")).unwrap(),
        label: format!("\"{number}\""),
        children: level(parents, number),
    };
    (0..parents.len()).filter(is_here).map(category).collect()
}

/// In any order, perhaps twice or unknown, as far as the catalogue can tell.
pub(crate) fn most_ordered() -> impl Strategy<Value = Vec<ProductId>> {
    vec(product_id(), 0..25)
}

prop_compose! {
    pub(crate) fn model(max_products: usize)(
        low_stock_threshold in 0_u32..6,
        hide_sold_out in any::<bool>(),
        tree in tree(),
        by_id in btree_map(product_id(), any_product(), 0..max_products),
        most_ordered in most_ordered(),
    ) -> Model {
        let products = by_id.into_iter().map(|(id, product)| (id.clone(), Product { id, ..product }));
        Model {
            options: SnapshotOptions { low_stock_threshold, hide_sold_out },
            products: products.collect(),
            tree,
            most_ordered,
            now: at(0),
        }
    }
}

fn sort() -> impl Strategy<Value = ProductSort> {
    prop_oneof![
        Just(ProductSort::Newest),
        Just(ProductSort::PriceAscending),
        Just(ProductSort::PriceDescending)
    ]
}

prop_compose! {
    fn filter()(
        categories in option::weighted(0.3, vec(category_id(), 0..3)),
        titles in option::weighted(0.3, vec(text(0..3), 0..3)),
        min_price in option::weighted(0.3, prop_oneof![-1_i64..7, 0_i64..500]),
        max_price in option::weighted(0.3, prop_oneof![-1_i64..7, 0_i64..500, Just(i64::MAX)]),
        new_since in option::weighted(0.3, -95_i64..5),
        (low_stock, on_sale, popular) in (flag(), flag(), flag()),
    ) -> ProductFilter {
        let new_since = new_since.map(at);
        ProductFilter { categories, titles, min_price, max_price, new_since, low_stock, on_sale, popular }
    }
}

fn flag() -> impl Strategy<Value = bool> {
    prop::bool::weighted(0.2)
}

pub(crate) fn query() -> impl Strategy<Value = ProductQuery> {
    (filter(), sort()).prop_map(|(filter, sort)| ProductQuery { filter, sort })
}

pub(crate) fn page() -> impl Strategy<Value = PageRequest> {
    let number = prop_oneof![8 => 1_u32..5, 2 => 1_u32..60, 1 => Just(i32::MAX.unsigned_abs())];
    let size = prop_oneof![1_u32..20, Just(100), Just(u32::MAX)];
    (number, size).prop_map(|(number, size)| PageRequest {
        number: PageNumber::new(number).unwrap(),
        size: PageSize::new(size).unwrap(),
    })
}

/// The key under which all snapshots of these tests hash what clients see.
pub(crate) fn key() -> Arc<ContentKey> {
    Arc::new(ContentKey::new(&[7; ContentKey::BYTES]))
}
