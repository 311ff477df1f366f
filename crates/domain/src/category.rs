//! The category tree of a gift store, in the operator's order.

mod entries;

use crate::CategoryId;

pub use entries::{CategoryEntry, EntryError, EntryFault, EntryParent};

/// The deepest level of a tree. The roots are level 1.
pub const MAX_CATEGORY_DEPTH: usize = 32;

/// A category and what is below it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Category {
    /// Unique in the tenant.
    pub id: CategoryId,
    pub label: String,
    /// Subcategories in the operator's order.
    pub children: Vec<Category>,
}

/// A tree with unique ids and no branch deeper than [`MAX_CATEGORY_DEPTH`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CategoryTree {
    roots: Vec<Category>,
}

impl CategoryTree {
    /// Takes the root categories.
    ///
    /// # Errors
    /// Every [`EntryError`], as [`Self::from_entries`] finds them.
    pub fn new(roots: Vec<Category>) -> Result<Self, Vec<EntryError>> {
        let tree = Self { roots };
        let mut entries = Vec::new();
        tree.visit(&mut |category, parent, _| {
            let parent = parent.map_or(EntryParent::None, |parent| EntryParent::Named(parent.id.clone()));
            entries.push(CategoryEntry { id: category.id.clone(), label: String::new(), parent });
        });
        Self::from_entries(entries).map(|_| tree)
    }

    pub fn roots(&self) -> &[Category] {
        &self.roots
    }

    /// Visits every category before its children, with its parent and its index among its siblings, from 0.
    pub fn visit<'t>(&'t self, visitor: &mut impl FnMut(&'t Category, Option<&'t Category>, usize)) {
        visit_level(&self.roots, None, visitor);
    }
}

fn visit_level<'t>(
    level: &'t [Category],
    parent: Option<&'t Category>,
    visitor: &mut impl FnMut(&'t Category, Option<&'t Category>, usize),
) {
    for (position, category) in level.iter().enumerate() {
        visitor(category, parent, position);
        visit_level(&category.children, Some(category), visitor);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn category(id: &str, children: Vec<Category>) -> Category {
        Category { id: CategoryId::new(id).unwrap(), label: id.to_owned(), children }
    }

    #[test]
    fn an_id_stands_once_in_the_whole_tree() {
        let twice = vec![category("a", vec![category("b", vec![])]), category("b", vec![])];
        let errors = CategoryTree::new(twice).unwrap_err();
        assert_eq!(errors[0].to_string(), "category \"b\" stands twice");
    }

    #[test]
    fn a_branch_has_at_most_32_levels() {
        let chain = |levels: usize| {
            (0..levels).fold(vec![], |below, level| vec![category(&level.to_string(), below)])
        };
        assert!(CategoryTree::new(chain(32)).is_ok());
        assert_eq!(CategoryTree::new(chain(33)).unwrap_err()[0].fault, EntryFault::TooDeep);
    }

    #[test]
    fn a_visit_meets_parents_first_and_counts_siblings() {
        let tree = CategoryTree::new(vec![category("a", vec![category("b", vec![]), category("c", vec![])])]);
        let mut met = Vec::new();
        tree.unwrap().visit(&mut |category, parent, position| {
            met.push((category.id.to_string(), parent.map(|p| p.id.to_string()), position));
        });
        let a = Some("a".to_owned());
        assert_eq!(met, [("a".into(), None, 0), ("b".into(), a.clone(), 0), ("c".into(), a, 1)]);
    }
}
