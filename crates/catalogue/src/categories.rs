//! The category tree: rendered once, and who stands above whom.

use std::collections::HashMap;
use std::ops::Range;

use pointbook_domain::{Category, CategoryId, CategoryTree};

use crate::render::append_json;

/// The tree as JSON, with the place of every category in it. Categories are numbered in the order
/// of the JSON, parents before children.
#[derive(Debug, Default)]
pub(crate) struct Categories {
    json: Vec<u8>,
    places: HashMap<CategoryId, Place>,
    parents: Vec<Option<usize>>,
}

#[derive(Debug, Clone)]
struct Place {
    index: usize,
    /// Where the array of its children stands in the JSON.
    children: Range<usize>,
}

impl Categories {
    pub(crate) fn new(tree: &CategoryTree) -> Self {
        let mut categories = Self::default();
        categories.render_level(tree.roots(), None);
        categories.json.shrink_to_fit();
        categories
    }

    /// The JSON array of the roots.
    pub(crate) fn json(&self) -> &[u8] {
        &self.json
    }

    /// The JSON array of a category's children; none for an id that the tree lacks.
    pub(crate) fn children(&self, id: &str) -> Option<&[u8]> {
        self.json.get(self.places.get(id)?.children.clone())
    }

    pub(crate) fn len(&self) -> usize {
        self.parents.len()
    }

    /// The number of a category; none for an id that the tree lacks.
    pub(crate) fn index_of(&self, id: &CategoryId) -> Option<usize> {
        self.places.get(id).map(|place| place.index)
    }

    /// A category, its parent, and so on up to the root.
    pub(crate) fn lineage(&self, index: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(index), |&below| self.parents.get(below).copied().flatten())
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        let ids: usize = self.places.keys().map(|id| id.as_str().len()).sum();
        let places = self.places.capacity() * size_of::<(CategoryId, Place)>();
        self.json.capacity() + ids + places + self.parents.capacity() * size_of::<Option<usize>>()
    }

    fn render_level(&mut self, level: &[Category], parent: Option<usize>) {
        self.json.push(b'[');
        for (position, category) in level.iter().enumerate() {
            if position > 0 {
                self.json.push(b',');
            }
            self.render_category(category, parent);
        }
        self.json.push(b']');
    }

    fn render_category(&mut self, category: &Category, parent: Option<usize>) {
        let Category { id, label, children } = category;
        let index = self.parents.len();
        self.parents.push(parent);
        self.json.extend_from_slice(b"{\"id\":");
        append_json(&id.as_str(), &mut self.json);
        self.json.extend_from_slice(b",\"label\":");
        append_json(label, &mut self.json);
        self.json.extend_from_slice(b",\"children\":");
        let start = self.json.len();
        self.render_level(children, Some(index));
        self.places.insert(id.clone(), Place { index, children: start..self.json.len() });
        self.json.push(b'}');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn category(id: &str, label: &str, children: Vec<Category>) -> Category {
        Category { id: CategoryId::new(id).unwrap(), label: label.into(), children }
    }

    fn categories() -> Categories {
        let below =
            vec![category("b/2", "\"B\"", vec![category("c", "\n", vec![])]), category("a", "", vec![])];
        let roots = vec![category("z", "飲み物", below), category("y", "Y", vec![])];
        Categories::new(&CategoryTree::new(roots).unwrap())
    }

    fn text(json: &[u8]) -> &str {
        std::str::from_utf8(json).unwrap()
    }

    #[test]
    fn the_tree_keeps_the_operators_order() {
        let expected = concat!(
            r#"[{"id":"z","label":"飲み物","children":[{"id":"b/2","label":"\"B\"","children":["#,
            r#"{"id":"c","label":"\n","children":[]}]},{"id":"a","label":"","children":[]}]},"#,
            r#"{"id":"y","label":"Y","children":[]}]"#,
        );
        assert_eq!(text(categories().json()), expected);
    }

    #[test]
    fn children_are_a_part_of_the_tree() {
        let categories = categories();
        let expected = r#"[{"id":"c","label":"\n","children":[]}]"#;
        assert_eq!(categories.children("b/2").map(text), Some(expected));
        assert_eq!(categories.children("y").map(text), Some("[]"));
        assert_eq!(categories.children("unknown"), None);
    }

    #[test]
    fn no_categories_are_an_empty_array() {
        assert_eq!(text(Categories::new(&CategoryTree::default()).json()), "[]");
    }

    #[test]
    fn a_lineage_ends_at_the_root() {
        let categories = categories();
        let index = |id: &str| categories.index_of(&CategoryId::new(id).unwrap()).unwrap();
        let lineage: Vec<usize> = categories.lineage(index("c")).collect();
        assert_eq!(lineage, ["c", "b/2", "z"].map(index));
    }
}
