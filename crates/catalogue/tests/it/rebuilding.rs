//! A snapshot built from an older one equals one built at once.

use pointbook_catalogue::SnapshotBuilder;
use pointbook_domain::{Product, ProductId};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::generate::{any_product, at, model, most_ordered, page, product_id, query, tree};
use crate::model::answer;

/// What happens to a catalogue.
#[derive(Debug, Clone)]
enum Change {
    Upsert(Box<Product>),
    Remove(ProductId),
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        any_product().prop_map(|product| Change::Upsert(Box::new(product))),
        product_id().prop_map(Change::Remove),
    ]
}

proptest! {
    #[test]
    fn changes_give_what_a_fresh_build_gives(
        mut model in model(80),
        rounds in vec((vec(change(), 0..30), tree(), most_ordered(), 0_i64..3), 1..4),
        asked in vec((query(), page()), 6),
    ) {
        let mut snapshot = model.snapshot();
        for (changes, tree, most_ordered, micros_later) in rounds {
            let mut builder = SnapshotBuilder::from_snapshot(&snapshot);
            for change in &changes {
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
            model.tree = tree;
            model.most_ordered = most_ordered;
            model.now = at(model.now.as_micros() - at(0).as_micros() + micros_later);
            snapshot = builder.build(&model.tree, &model.most_ordered, model.now);
            let fresh = model.snapshot();
            prop_assert_eq!(snapshot.categories(), fresh.categories());
            prop_assert_eq!(snapshot.product_count(), fresh.product_count());
            prop_assert_eq!(snapshot.rendered_bytes(), fresh.rendered_bytes());
            prop_assert_eq!(snapshot.next_change_at(), fresh.next_change_at());
            for (query, page) in &asked {
                prop_assert_eq!(answer(&snapshot, query, *page), model.list(query, *page), "{:?}", query);
                prop_assert_eq!(snapshot.list(query, *page), fresh.list(query, *page));
            }
            for id in model.products.keys() {
                prop_assert_eq!(snapshot.product(id.as_str()), fresh.product(id.as_str()));
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
        let options = pointbook_catalogue::SnapshotOptions { low_stock_threshold: 5, hide_sold_out: false };
        let mut as_they_came = SnapshotBuilder::new(options.clone());
        for product in &products {
            as_they_came.upsert(product);
        }
        let by_id: std::collections::BTreeMap<_, _> =
            products.iter().map(|product| (&product.id, product)).collect();
        let mut sorted = SnapshotBuilder::new(options);
        for product in by_id.values() {
            sorted.upsert(product);
        }
        let (one, other) = (as_they_came.build(&tree, &[], at(0)), sorted.build(&tree, &[], at(0)));
        prop_assert_eq!(one.list(&query, page), other.list(&query, page));
        prop_assert_eq!(one.rendered_bytes(), other.rendered_bytes());
    }
}
