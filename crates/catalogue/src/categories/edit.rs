//! Changes of the category tree: single steps, and the import of a whole tree, which says what it would change.

use crate::categories::stored;
use crate::categories::stored::TreeText;
use std::collections::HashMap;

use pointbook_domain::{CategoryId, CategoryTree};
use pointbook_store::background::in_background_for;
use pointbook_store::commands::{Command, CommandError, Facts, Needs};
use pointbook_store::ports::Execution;
use pointbook_store::{Context, StoreResult};

use crate::cache::PendingChange;
use crate::commands::{ChangeCategories, ReplaceCategories};

/// Replaces the category tree, unless another tree than `before` is stored by now. Returns whether it did.
///
/// # Errors
/// When the store fails. The caller may repeat it safely.
pub async fn change_categories(
    context: &Context,
    before: CategoryTree,
    after: CategoryTree,
) -> StoreResult<bool> {
    let change = ChangeCategories { before: TreeText::of(&before), after: TreeText::of(&after) };
    let _change = PendingChange::of(context);
    context.write(change).await
}

/// How many categories an import of a tree changes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TreeChange {
    pub created: u64,
    /// Categories with another label, another parent or another place below it.
    pub replaced: u64,
    pub unchanged: u64,
    /// Stored categories that the new tree does not have.
    pub removed: u64,
}

impl TreeChange {
    fn between(before: &CategoryTree, after: &CategoryTree) -> Self {
        let (mut stored, mut change) = (places(before), Self::default());
        for (id, place) in places(after) {
            *match stored.remove(id) {
                None => &mut change.created,
                Some(known) if known == place => &mut change.unchanged,
                Some(_) => &mut change.replaced,
            } += 1;
        }
        change.removed = u64::try_from(stored.len()).unwrap_or(u64::MAX);
        change
    }
}

/// The label, the parent, and the index below it.
type Place<'t> = (&'t str, Option<&'t CategoryId>, usize);

fn places(tree: &CategoryTree) -> HashMap<&CategoryId, Place<'_>> {
    let mut places = HashMap::new();
    tree.visit(&mut |category, parent, index| {
        places.insert(&category.id, (&*category.label, parent.map(|parent| &parent.id), index));
    });
    places
}

/// Replaces the whole tree. Its outcome tells what changed.
struct ImportCategories {
    /// The tree that was stored before the turn of the command, and what the import changes of it.
    known: (TreeText, TreeChange),
    tree: CategoryTree,
    replace: ReplaceCategories,
}

impl ImportCategories {
    fn of(stored: &CategoryTree, tree: CategoryTree) -> Self {
        let change = TreeChange::between(stored, &tree);
        Self { known: (TreeText::of(stored), change), replace: ReplaceCategories::with(&tree), tree }
    }
}

impl Command for ImportCategories {
    type Outcome = TreeChange;

    const NAME: &'static str = "import_categories";

    fn needs(&self, needs: &mut Needs) {
        self.replace.needs(needs);
    }

    fn decide(&self, facts: &mut Facts) -> Result<TreeChange, CommandError> {
        let stored = stored::text(facts)?;
        let change = match &self.known {
            (known, change) if known.as_str() == &*stored => *change,
            _ => TreeChange::between(&stored::tree(facts)?, &self.tree),
        };
        self.replace.decide(facts)?;
        Ok(change)
    }
}

/// Replaces the whole category tree.
///
/// # Errors
/// When the store fails: nothing was changed, or the key of the request tells.
pub async fn import_categories(
    context: &Context<TreeChange>,
    tree: CategoryTree,
) -> StoreResult<Execution<TreeChange>> {
    let stored = context.tenant.data.categories().await?;
    let import = in_background_for(context.worker(), move || ImportCategories::of(&stored, tree)).await?;
    let _change = PendingChange::of(context);
    context.execute(import).await
}

/// What [`import_categories`] would change. Stores nothing.
///
/// # Errors
/// When the store fails.
pub async fn try_categories<T>(context: &Context<T>, tree: CategoryTree) -> StoreResult<TreeChange> {
    let stored = context.tenant.data.categories().await?;
    in_background_for(context.worker(), move || TreeChange::between(&stored, &tree)).await
}

/// Replaces the whole category tree.
///
/// # Errors
/// When the store fails. The caller may repeat it safely.
pub async fn put_categories(context: &Context, replace: ReplaceCategories) -> StoreResult<()> {
    let _change = PendingChange::of(context);
    context.write(replace).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use pointbook_domain::Category;

    use super::*;

    fn category(id: &str, label: &str, children: Vec<Category>) -> Category {
        Category { id: CategoryId::new(id).unwrap(), label: label.to_owned(), children }
    }

    fn tree(roots: Vec<Category>) -> CategoryTree {
        CategoryTree::new(roots).unwrap()
    }

    #[test]
    fn a_category_is_replaced_when_its_label_its_parent_or_its_place_changes() {
        let leaf = |id: &str| category(id, id, Vec::new());
        let before = tree(vec![category("a", "A", vec![leaf("b"), leaf("c")]), leaf("d"), leaf("e")]);
        let change = |after: Vec<Category>| {
            let TreeChange { created, replaced, unchanged, removed } =
                TreeChange::between(&before, &tree(after));
            (created, replaced, unchanged, removed)
        };
        let under_a = |children| category("a", "A", children);
        assert_eq!(change(before.roots().to_vec()), (0, 0, 5, 0));
        assert_eq!(change(Vec::new()), (0, 0, 0, 5));
        let label = category("b", "New", Vec::new());
        assert_eq!(change(vec![under_a(vec![label, leaf("c")]), leaf("d"), leaf("e")]), (0, 1, 4, 0));
        assert_eq!(change(vec![under_a(vec![leaf("c"), leaf("b")]), leaf("d"), leaf("e")]), (0, 2, 3, 0));
        let moved = vec![under_a(vec![leaf("b")]), category("d", "d", vec![leaf("c")]), leaf("e")];
        assert_eq!(change(moved), (0, 1, 4, 0));
        assert_eq!(change(vec![leaf("f"), leaf("e")]), (1, 1, 0, 4));
    }
}
