//! A snapshot that changes were laid over equals one built at once, any happened before.

use pointbook_catalogue::index::{Snapshot, SnapshotBuilder, SnapshotOptions};
use pointbook_domain::{CategoryTree, Product, ProductId};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use crate::generate::{any_product, at, key, model, most_ordered, page, product_id, query, tree};
use crate::model::{Model, answer};

/// What happens to a product.
#[derive(Debug, Clone)]
enum Change {
    Upsert(Box<Product>),
    Remove(ProductId),
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        3 => any_product().prop_map(|product| Change::Upsert(Box::new(product))),
        2 => product_id().prop_map(Change::Remove),
    ]
}

/// What happens to a catalogue between two snapshots.
#[derive(Debug, Clone)]
struct Round {
    changes: Vec<Change>,
    tree: Option<CategoryTree>,
    most_ordered: Option<Vec<ProductId>>,
    micros_later: i64,
    is_compacted: bool,
    is_indexed: bool,
}

/// Few changes are laid over what there is, many lead to a new base; so does another tree, or an earlier time.
fn round() -> impl Strategy<Value = Round> {
    let changes = prop_oneof![9 => vec(change(), 0..8), 1 => vec(change(), 0..60)];
    let micros_later = prop_oneof![9 => 0_i64..3, 1 => Just(-2)];
    let tended = (prop::bool::weighted(0.2), prop::bool::weighted(0.3));
    let round =
        (changes, option::weighted(0.1, tree()), option::weighted(0.3, most_ordered()), micros_later, tended);
    round.prop_map(|(changes, tree, most_ordered, micros_later, tended)| Round {
        changes,
        tree,
        most_ordered,
        micros_later,
        is_compacted: tended.0,
        is_indexed: tended.1,
    })
}

fn apply(round: &Round, model: &mut Model, snapshot: &Snapshot) -> Snapshot {
    let mut builder = SnapshotBuilder::from_snapshot(snapshot);
    for change in &round.changes {
        match change {
            Change::Upsert(product) => {
                builder.upsert(product);
                model.products.insert(product.id.clone(), (**product).clone());
            }
            Change::Remove(id) => {
                builder.remove(id);
                model.products.remove(id);
            }
        }
    }
    round.tree.iter().for_each(|tree| model.tree = tree.clone());
    round.most_ordered.iter().for_each(|ids| model.most_ordered.clone_from(ids));
    model.now = at(model.now.as_micros() - at(0).as_micros() + round.micros_later);
    let next = builder.build(&model.tree, &model.most_ordered, model.now);
    let next = if round.is_compacted { next.compacted() } else { next };
    if round.is_indexed {
        next.index_titles();
    }
    next
}

/// The id, the title and the URLs of the products that the snapshot finds, by id.
fn pictured(snapshot: &Snapshot, part: &str) -> Vec<(String, String, Vec<String>)> {
    let mut found = Vec::new();
    snapshot.each_pictured(part, |product| {
        found.push((product.id.to_owned(), product.title(), product.urls));
    });
    found.sort_unstable();
    found
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn changes_give_what_a_fresh_build_gives(
        mut model in model(160),
        rounds in vec(round(), 1..9),
        asked in vec((query(), page()), 8),
    ) {
        let mut snapshot = model.snapshot();
        for round in rounds {
            snapshot = apply(&round, &mut model, &snapshot);
            let fresh = model.snapshot();
            prop_assert_eq!(snapshot.categories(), fresh.categories());
            prop_assert_eq!(snapshot.product_count(), fresh.product_count());
            prop_assert_eq!(snapshot.next_change_at(), fresh.next_change_at());
            for (query, page) in &asked {
                prop_assert_eq!(answer(&snapshot, query, *page), model.list(query, *page), "{:?}", query);
                prop_assert_eq!(snapshot.list(query, *page), fresh.list(query, *page));
            }
            for part in ["a", "珈琲", "https", "%"] {
                prop_assert_eq!(pictured(&snapshot, part), model.pictured(part), "{}", part);
            }
            for number in 0..200 {
                let id = format!("p{number}");
                prop_assert_eq!(snapshot.product(&id), fresh.product(&id));
            }
        }
    }

    #[test]
    fn the_order_of_arrival_does_not_matter(
        products in vec(any_product(), 0..60),
        tree in tree(),
        query in query(),
        page in page(),
    ) {
        let options = SnapshotOptions { low_stock_threshold: 5, hide_sold_out: false };
        let mut as_they_came = SnapshotBuilder::new(options.clone(), key());
        for product in &products {
            as_they_came.upsert(product);
        }
        let by_id: std::collections::BTreeMap<_, _> =
            products.iter().map(|product| (&product.id, product)).collect();
        let mut sorted = SnapshotBuilder::new(options, key());
        for product in by_id.values() {
            sorted.upsert(product);
        }
        let (one, other) = (as_they_came.build(&tree, &[], at(0)), sorted.build(&tree, &[], at(0)));
        prop_assert_eq!(one.list(&query, page), other.list(&query, page));
    }
}
