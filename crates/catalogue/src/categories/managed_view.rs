//! The category tree for the back office.

use pointbook_domain::{Category, CategoryTree};
use pointbook_http::describe::Schema;
use pointbook_http::view;

view! {
    /// A category with its children. The index writes the same for customers.
    #[derive(Debug)]
    pub struct CategoryView<'t> as "Category" {
        id: &'t str => Schema::id(),
        /// The text for people.
        label: &'t str,
        /// The categories below it. May be empty.
        children: Vec<Self>,
    }

    /// Categories alone in `data`.
    #[derive(Debug)]
    pub struct CategoriesView<'t> as "CategoryList" {
        data: Vec<CategoryView<'t>>,
    }
}

impl<'t> CategoryView<'t> {
    /// The roots of a tree, whose depth is bounded.
    pub fn tree(tree: &'t CategoryTree) -> Vec<Self> {
        tree.roots().iter().map(Self::of).collect()
    }

    fn of(category: &'t Category) -> Self {
        let Category { id, label, children } = category;
        Self { id: id.as_str(), label, children: children.iter().map(Self::of).collect() }
    }
}

impl<'t> From<&'t CategoryTree> for CategoriesView<'t> {
    fn from(tree: &'t CategoryTree) -> Self {
        Self { data: CategoryView::tree(tree) }
    }
}

#[cfg(test)]
mod tests {
    use pointbook_testkit::build::{category, tree};

    use super::*;

    #[test]
    fn children_are_never_left_out() {
        let json = |tree: &CategoryTree| serde_json::to_string(&CategoriesView::from(tree)).unwrap();
        assert_eq!(json(&CategoryTree::default()), r#"{"data":[]}"#);
        assert_eq!(
            json(&tree(vec![category("a", vec![category("b", vec![])])])),
            r#"{"data":[{"id":"a","label":"Category a","children":[{"id":"b","label":"Category b","children":[]}]}]}"#
        );
    }
}
