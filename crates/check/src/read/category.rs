//! The category tree.

use crate::cursor::{Cursor, Findings, Read, read_fields};
use crate::json::Json;
use crate::rule::{CATEGORIES_FIELDS, CATEGORIES_SHAPE};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Category {
    pub id: String,
    pub label: String,
    pub children: Vec<Category>,
}

impl Category {
    /// Shows this category, and all below it, to `seen`.
    pub fn visit<'c>(&'c self, seen: &mut impl FnMut(&'c Self)) {
        seen(self);
        self.children.iter().for_each(|child| child.visit(seen));
    }

    /// All categories of a tree, each before those below it.
    pub(crate) fn all(tree: &[Self]) -> Vec<&Self> {
        let mut all = Vec::new();
        tree.iter().for_each(|root| root.visit(&mut |category| all.push(category)));
        all
    }
}

impl Read for Category {
    fn read(cursor: &Cursor<'_>) -> Option<Self> {
        read_fields!(cursor, Category { id: "id", label: "label", children: "children" })
    }
}

/// Reads a response with categories; `None` where one of them cannot be read.
pub(crate) fn category_list(json: &Json, findings: &Findings) -> Option<Vec<Category>> {
    let root = Cursor::root(&CATEGORIES_SHAPE, json, findings);
    root.refuse_members(&["links", "meta"]);
    let data = root.member("data")?;
    data.items()?;
    Vec::read(&data.by(&CATEGORIES_FIELDS))
}
