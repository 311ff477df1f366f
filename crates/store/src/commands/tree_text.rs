//! A category tree as its row has it.

use std::sync::Arc;

use pointbook_domain::CategoryTree;
use serde::de::IgnoredAny;
use serde_json::{Map, Value};

use crate::audit_log::{ChangeNote, MAX_FIELDS_BYTES, category_fields, digest_fields};
use crate::schema::rows::{tree_of, tree_text};

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

    /// The same text. A tree may have some 700 KB, which a command in its turn does not copy.
    pub(crate) fn share(&self) -> Arc<str> {
        self.text.clone()
    }

    /// The change from a stored tree to this one. Of large trees it tells digests.
    pub(crate) fn note_from(&self, before: &str) -> ChangeNote {
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
