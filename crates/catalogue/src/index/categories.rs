//! The rendered category tree, and the ancestors of each category.

use std::collections::HashMap;
use std::ops::Range;

use bytes::Bytes;
use pointbook_domain::{Category, CategoryId, CategoryTree};
use pointbook_store::content_key::ContentKey;

use crate::index::render::append_json;

/// The text around a list of categories in the documented response.
const BEFORE: &[u8] = br#"{"data":"#;
const AFTER: &[u8] = b"}";

/// Rendered categories. The snapshot shares them, so that a response copies nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedFragment {
    pub json: Bytes,
    /// The whole documented response, where it was rendered too: for the tree, which all clients read.
    pub body: Option<Bytes>,
    /// The hash of the JSON under the tenant's key, made when it was rendered.
    pub hash: u128,
}

/// The tree as JSON, with the position of every category. Categories are numbered in the order of the JSON, parents before
/// children.
#[derive(Debug, Default)]
pub(crate) struct Categories {
    tree: CategoryTree,
    /// The documented response with the whole tree.
    body: Bytes,
    /// The tree in it.
    json: Bytes,
    hash: u128,
    places: HashMap<CategoryId, Place>,
    parents: Vec<Option<usize>>,
}

#[derive(Debug, Clone)]
struct Place {
    index: usize,
    /// Where the array of its children is in the JSON.
    children: Range<usize>,
    hash: u128,
}

impl Categories {
    pub(crate) fn new(tree: &CategoryTree, key: &ContentKey) -> Self {
        let mut categories = Self { tree: tree.clone(), ..Self::default() };
        let mut json = Vec::new();
        categories.render_level(tree.roots(), None, &mut json);
        categories.hash = key.hash(&json);
        for place in categories.places.values_mut() {
            place.hash = json.get(place.children.clone()).map(|json| key.hash(json)).unwrap_or_default();
        }
        categories.body = Bytes::from([BEFORE, &json, AFTER].concat());
        categories.json = categories.body.slice(BEFORE.len()..BEFORE.len() + json.len());
        categories
    }

    /// What it was made from.
    pub(crate) fn tree(&self) -> &CategoryTree {
        &self.tree
    }

    /// The JSON array of the roots.
    pub(crate) fn all(&self) -> SharedFragment {
        SharedFragment { json: self.json.clone(), body: Some(self.body.clone()), hash: self.hash }
    }

    /// The JSON array of a category's children. `None` for an unknown id.
    pub(crate) fn children(&self, id: &str) -> Option<SharedFragment> {
        let place = self.places.get(id)?;
        let json = self.json.slice(place.children.clone());
        Some(SharedFragment { json, body: None, hash: place.hash })
    }

    pub(crate) fn len(&self) -> usize {
        self.parents.len()
    }

    /// The number of a category. `None` for an unknown id.
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
        2 * self.json.len() + ids + places + self.parents.capacity() * size_of::<Option<usize>>()
    }

    fn render_level(&mut self, level: &[Category], parent: Option<usize>, json: &mut Vec<u8>) {
        json.push(b'[');
        for (position, category) in level.iter().enumerate() {
            if position > 0 {
                json.push(b',');
            }
            self.render_category(category, parent, json);
        }
        json.push(b']');
    }

    fn render_category(&mut self, category: &Category, parent: Option<usize>, json: &mut Vec<u8>) {
        let Category { id, label, children } = category;
        let index = self.parents.len();
        self.parents.push(parent);
        json.extend_from_slice(b"{\"id\":");
        append_json(&id.as_str(), json);
        json.extend_from_slice(b",\"label\":");
        append_json(label, json);
        json.extend_from_slice(b",\"children\":");
        let start = json.len();
        self.render_level(children, Some(index), json);
        self.places.insert(id.clone(), Place { index, children: start..json.len(), hash: 0 });
        json.push(b'}');
    }
}

#[cfg(test)]
mod tests {
    use pointbook_store::content_key::test_key;

    use super::*;

    fn category(id: &str, label: &str, children: Vec<Category>) -> Category {
        Category { id: CategoryId::new(id).unwrap(), label: label.into(), children }
    }

    fn categories() -> Categories {
        let below =
            vec![category("b/2", "\"B\"", vec![category("c", "\n", vec![])]), category("a", "", vec![])];
        let roots = vec![category("z", "飲み物", below), category("y", "Y", vec![])];
        Categories::new(&CategoryTree::new(roots).unwrap(), &test_key())
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
        assert_eq!(text(&categories().all().json), expected);
        assert_eq!(categories().all().hash, test_key().hash(expected.as_bytes()));
    }

    #[test]
    fn children_are_a_part_of_the_tree() {
        let categories = categories();
        let expected = r#"[{"id":"c","label":"\n","children":[]}]"#;
        let below = categories.children("b/2").unwrap();
        assert_eq!((text(&below.json), below.hash), (expected, test_key().hash(expected.as_bytes())));
        assert_eq!(text(&categories.children("y").unwrap().json), "[]");
        assert_eq!(categories.children("unknown"), None);
    }

    #[test]
    fn no_categories_are_an_empty_array() {
        assert_eq!(text(&Categories::new(&CategoryTree::default(), &test_key()).all().json), "[]");
    }

    #[test]
    fn a_lineage_ends_at_the_root() {
        let categories = categories();
        let index = |id: &str| categories.index_of(&CategoryId::new(id).unwrap()).unwrap();
        let lineage: Vec<usize> = categories.lineage(index("c")).collect();
        assert_eq!(lineage, ["c", "b/2", "z"].map(index));
    }
}
