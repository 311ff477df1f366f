//! Finds the categories of products that are not in the tree.

use std::collections::HashSet;

use pointbook_domain::{CategoryId, CategoryTree};
use pointbook_store::StoreResult;
use pointbook_store::ports::TenantData;

/// The categories that are not in the stored tree: each once, in the given order. Products keep them, because the tree may
/// follow.
pub(crate) async fn unknown_categories<'c>(
    data: &dyn TenantData,
    ids: impl IntoIterator<Item = &'c CategoryId>,
) -> StoreResult<Vec<&'c CategoryId>> {
    let mut seen = HashSet::new();
    let mut unknown: Vec<_> = ids.into_iter().filter(|id| seen.insert(*id)).collect();
    if !unknown.is_empty() {
        let tree = data.categories().await?;
        unknown = not_in_tree(&tree, unknown);
    }
    Ok(unknown)
}

/// The categories that are not in this tree.
pub(crate) fn not_in_tree<'c>(
    tree: &CategoryTree,
    ids: impl IntoIterator<Item = &'c CategoryId>,
) -> Vec<&'c CategoryId> {
    let mut known = HashSet::new();
    tree.visit(&mut |category, _, _| {
        known.insert(&category.id);
    });
    ids.into_iter().filter(|id| !known.contains(id)).collect()
}
