//! The category tree.

use crate::cursor::{Cursor, Flaws};
use crate::json::Json;
use crate::rule::{CATEGORIES_FIELDS, CATEGORIES_SHAPE, Rule};

/// A category as the interface documents it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Category {
    /// Unique category identifier.
    pub id: String,
    /// Display name.
    pub label: String,
    /// Nested subcategories.
    pub children: Vec<Category>,
}

impl Category {
    /// Shows this category, and all below it, to `seen`.
    pub fn visit<'c>(&'c self, seen: &mut impl FnMut(&'c Self)) {
        seen(self);
        for child in &self.children {
            child.visit(seen);
        }
    }
}

/// What is looked at in every list of categories.
pub(crate) const CATEGORY_RULES: &[&Rule] = &[&CATEGORIES_SHAPE, &CATEGORIES_FIELDS];

/// Reads an answer with categories; none where one of them cannot be read.
pub(crate) fn category_list(json: &Json, flaws: &mut Flaws) -> Option<Vec<Category>> {
    let root = Cursor::root(&CATEGORIES_SHAPE, json);
    for key in ["links", "meta"] {
        if json.get(key).is_some() {
            root.refuse(&format!("has no {key}"), flaws);
        }
    }
    categories(&root.items_of("data", flaws)?, flaws)
}

fn categories(items: &[Cursor<'_>], flaws: &mut Flaws) -> Option<Vec<Category>> {
    let read: Vec<_> = items.iter().map(|item| category(&item.by(&CATEGORIES_FIELDS), flaws)).collect();
    read.into_iter().collect()
}

fn category(cursor: &Cursor<'_>, flaws: &mut Flaws) -> Option<Category> {
    let id = cursor.text_of("id", flaws);
    let label = cursor.text_of("label", flaws);
    let children = cursor.items_of("children", flaws).and_then(|items| categories(&items, flaws));
    Some(Category { id: id?, label: label?, children: children? })
}
