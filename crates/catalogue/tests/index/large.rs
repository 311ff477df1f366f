//! A catalogue larger than one container of a bitmap, where sets are stored in more than one way.

use pointbook_catalogue::index::{
    ProductFilter, ProductQuery, ProductSort, SnapshotBuilder, SnapshotOptions,
};
use pointbook_domain::{
    Category, CategoryId, CategoryTree, PageNumber, PageRequest, PageSize, Price, Product, ProductId,
};

use crate::generate::at;
use crate::model::{Model, answer, page_of};

/// A bitmap's container spans 65,536 ranks.
const PRODUCTS: u64 = 70_000;

/// Spreads a number so that no two properties of a product follow each other.
fn spread(number: u64, salt: u64, below: u64) -> u64 {
    let mixed = (number * 16 + salt).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    (mixed ^ mixed >> 32) % below
}

fn product(number: u64) -> Product {
    let price = |salt| Price::new(i64::try_from(spread(number, salt, 5_000)).unwrap()).unwrap();
    let age_micros = i64::try_from(spread(number, 3, 40_000)).unwrap();
    Product {
        title: format!("{} Tee", spread(number, 4, 1_000)),
        regular_price: price(1),
        sale_price: (spread(number, 5, 3) == 0).then(|| price(2)),
        categories: vec![CategoryId::new(format!("c{}", spread(number, 6, 12))).unwrap()],
        stock: u32::try_from(spread(number, 7, 200)).ok(),
        popular: spread(number, 8, 50) == 0,
        ..Product::blank(ProductId::new(format!("p{number}")).unwrap(), at(-age_micros))
    }
}

fn model() -> Model {
    let category =
        |id: String, children| Category { label: String::new(), children, id: CategoryId::new(id).unwrap() };
    let leaves = (0..10).map(|number| category(format!("c{number}"), vec![])).collect();
    let products = (0..PRODUCTS).map(product).map(|product| (product.id.clone(), product));
    Model {
        options: SnapshotOptions { low_stock_threshold: 5, hide_sold_out: true },
        products: products.collect(),
        tree: CategoryTree::new(vec![category("root".into(), leaves)]).unwrap(),
        most_ordered: (0..PRODUCTS).step_by(777).map(|number| product(number).id).collect(),
        now: at(0),
    }
}

/// Each filter alone, then some together.
fn filters() -> Vec<ProductFilter> {
    let none = ProductFilter::default;
    let category = |id: &str| Some(vec![CategoryId::new(id).unwrap()]);
    let prices = ProductFilter { min_price: Some(700), max_price: Some(1_900), ..none() };
    let few_prices = ProductFilter { min_price: Some(700), max_price: Some(703), ..none() };
    vec![
        none(),
        prices.clone(),
        ProductFilter { new_since: Some(at(-9_000)), ..none() },
        ProductFilter { on_sale: true, ..none() },
        ProductFilter { low_stock: true, ..none() },
        ProductFilter { popular: true, ..none() },
        ProductFilter { categories: category("root"), ..none() },
        ProductFilter { titles: Some(vec!["77 t".into()]), ..none() },
        ProductFilter { new_since: Some(at(-9_000)), ..prices.clone() },
        ProductFilter { on_sale: true, ..prices.clone() },
        ProductFilter { on_sale: true, ..few_prices.clone() },
        few_prices,
        ProductFilter { categories: category("root"), new_since: Some(at(-300)), ..none() },
        ProductFilter { categories: category("root"), on_sale: true, ..none() },
        ProductFilter { titles: Some(vec!["7".into()]), new_since: Some(at(-9_000)), ..none() },
        ProductFilter { categories: category("c3"), popular: true, on_sale: true, ..prices.clone() },
        ProductFilter { titles: Some(vec!["7".into(), "88".into()]), popular: true, ..prices },
    ]
}

#[test]
fn a_large_catalogue_answers_like_the_model() {
    let model = model();
    let snapshots = [model.snapshot(), model.snapshot()];
    snapshots[1].index_titles();
    for filter in filters() {
        for sort in [ProductSort::Newest, ProductSort::PriceAscending, ProductSort::PriceDescending] {
            let query = ProductQuery { filter: filter.clone(), sort };
            let matching = model.matching(&query);
            assert!(!matching.is_empty(), "{query:?}");
            for number in [1, 9, 400] {
                let number = PageNumber::new(number).unwrap();
                let page = PageRequest { number, size: PageSize::new(31).unwrap() };
                for snapshot in &snapshots {
                    assert_eq!(answer(snapshot, &query, page), page_of(&matching, page), "{query:?}");
                }
            }
        }
    }
}

/// Its quarter would be 17,500.
#[test]
fn a_bounded_number_of_changes_is_laid_over_a_large_catalogue() {
    let mut model = model();
    let snapshot = model.snapshot();
    let changed = |model: &mut Model, count: u64| {
        let mut builder = SnapshotBuilder::from_snapshot(&snapshot);
        for product in (0..count).map(product).map(|product| Product { title: "Cup".into(), ..product }) {
            builder.upsert(&product);
            model.products.insert(product.id.clone(), product);
        }
        builder.build(&model.tree, &model.most_ordered, model.now)
    };
    let laid_over = changed(&mut model, 4_096);
    assert!(laid_over.is_worth_compacting());
    let built_anew = changed(&mut model, 4_097);
    assert!(!built_anew.is_worth_compacting());
    let query = ProductQuery { filter: filters().remove(1), ..ProductQuery::default() };
    let page = PageRequest { number: PageNumber::FIRST, size: PageSize::new(31).unwrap() };
    assert_eq!(answer(&built_anew, &query, page), model.list(&query, page));
}

#[test]
fn what_a_search_finds_among_few_listed_products_is_kept() {
    let mut model = model();
    for product in model.products.values_mut().skip(100) {
        product.active = false;
    }
    let snapshot = model.snapshot();
    let filter = ProductFilter { titles: Some(vec!["7".into()]), ..ProductFilter::default() };
    let search = ProductQuery { filter, ..ProductQuery::default() };
    let page = PageRequest { number: PageNumber::new(2).unwrap(), size: PageSize::new(10).unwrap() };
    let expected = model.list(&search, page);
    assert!(expected.0 > 10 && !snapshot.lists_soon(&search));
    for _ in 0..2 {
        assert_eq!(answer(&snapshot, &search, page), expected);
        assert!(snapshot.lists_soon(&search));
    }
}
