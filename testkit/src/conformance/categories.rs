//! Facts of the category tree.

use std::sync::Arc;

use pointbook_catalogue::categories::stored::TreeText;
use pointbook_catalogue::commands::{ChangeCategories, ReplaceCategories};
use pointbook_domain::{Category, CategoryTree};
use pointbook_store::ports::{Database, TenantData, UpsertOutcome};

use super::add_tenant;
use crate::build::{category, tree};

async fn version(data: &Arc<dyn TenantData>) -> u64 {
    data.catalogue_version().await.unwrap().0
}

fn sample() -> CategoryTree {
    let label = "Haus & \"Garten\"\u{1f600}".to_owned();
    tree(vec![
        category("z", vec![category("b", vec![category("deep", vec![])]), category("a", vec![])]),
        Category { label, ..category("m", vec![]) },
        category("c", vec![]),
    ])
}

async fn replace(data: &Arc<dyn TenantData>, tree: &CategoryTree) -> UpsertOutcome {
    let outcome = data.write(ReplaceCategories::with(tree)).await.unwrap();
    assert_eq!(data.categories().await.unwrap(), *tree);
    outcome
}

/// The operator's order is neither that of ids nor that of labels.
pub async fn a_tree_survives_in_its_order(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    assert_eq!(replace(&data, &sample()).await, UpsertOutcome::Created);
    assert_eq!(version(&data).await, 1);
}

/// The version stays the same, too.
pub async fn the_same_tree_changes_nothing(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    assert_eq!(replace(&data, &tree(vec![])).await, UpsertOutcome::Unchanged);
    replace(&data, &sample()).await;
    assert_eq!(replace(&data, &sample()).await, UpsertOutcome::Unchanged);
    assert_eq!(version(&data).await, 1);
}

/// This holds for roots and for children.
pub async fn another_order_is_a_change(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let pair = |a, b| vec![category(a, vec![]), category(b, vec![])];
    replace(&data, &tree(pair("a", "b"))).await;
    assert_eq!(replace(&data, &tree(pair("b", "a"))).await, UpsertOutcome::Replaced);
    replace(&data, &tree(vec![category("r", pair("a", "b"))])).await;
    assert_eq!(replace(&data, &tree(vec![category("r", pair("b", "a"))])).await, UpsertOutcome::Replaced);
    assert_eq!(version(&data).await, 4);
}

/// The change of a writer who did not see the last one is left out.
pub async fn a_tree_that_another_writer_replaced_stays(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let (first, second) = (sample(), tree(vec![category("x", vec![])]));
    let change = async |before: &CategoryTree, after: &CategoryTree| {
        data.write(ChangeCategories { before: TreeText::of(before), after: TreeText::of(after) })
            .await
            .unwrap()
    };
    assert!(change(&tree(vec![]), &first).await);
    assert!(!change(&tree(vec![]), &second).await);
    assert_eq!((data.categories().await.unwrap(), version(&data).await), (first.clone(), 1));
    assert!(change(&first, &second).await);
    assert_eq!((data.categories().await.unwrap(), version(&data).await), (second, 2));
}

/// A parent and its child may swap.
pub async fn a_category_moves_below_its_former_child(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    replace(&data, &tree(vec![category("a", vec![category("b", vec![])])])).await;
    let swapped = tree(vec![category("b", vec![category("a", vec![])])]);
    assert_eq!(replace(&data, &swapped).await, UpsertOutcome::Replaced);
}

/// The version changes.
pub async fn a_tree_is_replaced_by_an_empty_one(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    replace(&data, &sample()).await;
    assert_eq!(replace(&data, &tree(vec![])).await, UpsertOutcome::Replaced);
    assert_eq!(version(&data).await, 2);
}
