//! The category tree of a gift store, in the operator's order.

mod entries;

use std::collections::HashSet;
use std::fmt;

use crate::CategoryId;

pub use entries::{CategoryEntry, EntryError, EntryFault, EntryParent};

/// How deep a tree may be, counted from 1 for the roots.
pub const MAX_CATEGORY_DEPTH: usize = 32;

/// A category and what is below it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Category {
    /// Unique in the tenant.
    pub id: CategoryId,
    /// Display name.
    pub label: String,
    /// Subcategories in the operator's order.
    pub children: Vec<Category>,
}

/// A tree in which every id stands once and no branch is deeper than [`MAX_CATEGORY_DEPTH`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CategoryTree {
    roots: Vec<Category>,
}

/// Why categories are no tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CategoryTreeError {
    /// An id stands twice.
    Duplicate(CategoryId),
    /// This category is deeper than [`MAX_CATEGORY_DEPTH`].
    TooDeep(CategoryId),
}

impl fmt::Display for CategoryTreeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Duplicate(id) => write!(f, "category {:?} stands twice in the tree", id.as_str()),
            Self::TooDeep(id) => {
                write!(f, "category {:?} is deeper than {MAX_CATEGORY_DEPTH} levels", id.as_str())
            }
        }
    }
}

impl std::error::Error for CategoryTreeError {}

impl CategoryTree {
    /// Takes the root categories.
    ///
    /// # Errors
    /// [`CategoryTreeError`] names the first category that breaks a rule.
    pub fn new(roots: Vec<Category>) -> Result<Self, CategoryTreeError> {
        check_level(&roots, 1, &mut HashSet::new())?;
        Ok(Self { roots })
    }

    /// The categories without a parent.
    pub fn roots(&self) -> &[Category] {
        &self.roots
    }

    /// Visits every category before its children, with its parent and its place among its
    /// siblings, counted from 0.
    pub fn visit<'t>(&'t self, visitor: &mut impl FnMut(&'t Category, Option<&'t Category>, usize)) {
        visit_level(&self.roots, None, visitor);
    }
}

fn check_level<'t>(
    level: &'t [Category],
    depth: usize,
    seen: &mut HashSet<&'t CategoryId>,
) -> Result<(), CategoryTreeError> {
    for category in level {
        if depth > MAX_CATEGORY_DEPTH {
            return Err(CategoryTreeError::TooDeep(category.id.clone()));
        }
        if !seen.insert(&category.id) {
            return Err(CategoryTreeError::Duplicate(category.id.clone()));
        }
        check_level(&category.children, depth + 1, seen)?;
    }
    Ok(())
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
        let error = CategoryTree::new(twice).unwrap_err();
        assert_eq!(error.to_string(), "category \"b\" stands twice in the tree");
    }

    #[test]
    fn a_branch_has_at_most_32_levels() {
        let chain = |levels: usize| {
            (0..levels).fold(vec![], |below, level| vec![category(&level.to_string(), below)])
        };
        assert!(CategoryTree::new(chain(32)).is_ok());
        assert!(matches!(CategoryTree::new(chain(33)), Err(CategoryTreeError::TooDeep(_))));
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
