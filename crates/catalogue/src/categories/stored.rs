//! The category tree of a tenant, as its row has it.

use std::sync::Arc;

use pointbook_domain::{CategoryTree, EventType, FeedEntry};
use serde::de::IgnoredAny;
use serde_json::{Map, Value};

use pointbook_store::audit_log::{ChangeNote, MAX_FIELDS_BYTES, category_fields, digest_fields};
use pointbook_store::commands::{CommandError, Facts, Needs};
use pointbook_store::ports::UpsertOutcome;
use pointbook_store::schema::rows::{CatalogueState, NO_CATEGORIES, TreeRow, tree_of, tree_text};

use crate::version;

/// A category tree as stores have it. A command makes it before its turn.
pub struct TreeText {
    text: Arc<str>,
    /// Of the tree, for the audit log.
    digest: Map<String, Value>,
}

impl TreeText {
    pub fn of(tree: &CategoryTree) -> Self {
        let mut count = 0;
        tree.visit(&mut |_, _, _| count += 1);
        let text = tree_text(tree);
        let digest = digest_fields("categories", count, &text);
        Self { text: text.into(), digest }
    }

    /// Equal trees have equal texts, unless a migration wrote one of them.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The change from a stored tree to this one. Of large trees it tells digests.
    fn note_from(&self, before: &str) -> ChangeNote {
        let (before, after) = if before.len().max(self.text.len()) > MAX_FIELDS_BYTES {
            let count = serde_json::from_str::<Vec<IgnoredAny>>(before).map_or(0, |entries| entries.len());
            (digest_fields("categories", count, before), self.digest.clone())
        } else {
            // Both were written as trees.
            let fields = |text| tree_of(text).map(|tree| category_fields(&tree)).unwrap_or_default();
            (fields(before), fields(&self.text))
        };
        ChangeNote::new("categories.replace", "categories", Some(before), Some(after))
    }
}

pub(crate) fn need(needs: &mut Needs) {
    needs.row::<CatalogueState>(&());
    needs.row::<TreeRow>(&());
}

/// The text of the stored tree.
///
/// # Errors
/// When it was not loaded.
pub(crate) fn text(facts: &Facts) -> Result<Arc<str>, CommandError> {
    let row = facts.get::<TreeRow>(&())?;
    Ok(row.map_or_else(|| NO_CATEGORIES.into(), |row| row.categories.clone()))
}

/// The stored tree.
///
/// # Errors
/// When it was not loaded, or is not a tree.
pub(crate) fn tree(facts: &Facts) -> Result<CategoryTree, CommandError> {
    tree_of(&text(facts)?).map_err(|corrupt| CommandError::Corrupt(corrupt.0))
}

/// # Errors
/// When the stored tree was not loaded.
pub(crate) fn replace(facts: &mut Facts, new: &TreeText) -> Result<UpsertOutcome, CommandError> {
    let before = text(facts)?;
    if *before == *new.as_str() {
        return Ok(UpsertOutcome::Unchanged);
    }
    version::raise(facts)?;
    facts.put(TreeRow { categories: new.text.clone() })?;
    facts.tell(FeedEntry { kind: EventType::CategoriesChanged, user_id: None, id: None, row: None });
    facts.note(|| new.note_from(&before));
    Ok(if *before == *NO_CATEGORIES { UpsertOutcome::Created } else { UpsertOutcome::Replaced })
}
