//! Changes of the category tree by an operator, who knows the tree as it was.

use pointbook_domain::CategoryTree;
use pointbook_store::commands::TreeText;
use pointbook_store::context::Context;
use pointbook_store::ports::StoreResult;

use crate::cache::PendingChange;
use crate::edit::ChangeCategories;

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
