//! Builds a tree from single categories that say where they belong.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;

use super::{Category, CategoryTree, MAX_CATEGORY_DEPTH};
use crate::CategoryId;

/// A category without its children.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CategoryEntry {
    /// Unique among the entries.
    pub id: CategoryId,
    pub label: String,
    /// What it is below.
    pub parent: EntryParent,
}

/// What an entry is below.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EntryParent {
    /// Nothing: it is a root.
    None,
    /// The entry at this index, from 0. It came earlier.
    Around(usize),
    /// The entry with this id, at any index.
    Named(CategoryId),
}

/// An entry that does not fit into a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryError {
    /// The index among the entries, from 0.
    pub place: usize,
    pub id: CategoryId,
    pub fault: EntryFault,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryFault {
    /// An earlier entry has its id.
    Duplicate,
    /// No entry has its parent id.
    UnknownParent,
    /// It is below itself. Each circle has one such error, at the first entry that names its parent.
    Cycle,
    /// It is the first of its branch below [`MAX_CATEGORY_DEPTH`] levels.
    TooDeep,
}

impl fmt::Display for EntryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "category {:?} ", self.id.as_str())?;
        match self.fault {
            EntryFault::Duplicate => f.write_str("stands twice"),
            EntryFault::UnknownParent => f.write_str("has an unknown parent"),
            EntryFault::Cycle => f.write_str("is below itself"),
            EntryFault::TooDeep => write!(f, "is deeper than {MAX_CATEGORY_DEPTH} levels"),
        }
    }
}

impl std::error::Error for EntryError {}

impl CategoryTree {
    /// Builds the tree. Siblings keep the order of the entries.
    ///
    /// # Errors
    /// Every [`EntryError`], by index.
    pub fn from_entries(entries: Vec<CategoryEntry>) -> Result<Self, Vec<EntryError>> {
        let mut faults = Vec::new();
        let parents = find_parents(&entries, &mut faults);
        let by_level = by_level(&parents, &mut faults);
        let circles = circles(&parents, &by_level);
        faults
            .extend(circles.iter().filter_map(|circle| Some((blamed(&entries, circle)?, EntryFault::Cycle))));
        if faults.is_empty() {
            return Ok(Self { roots: assemble(entries, &parents, &by_level) });
        }
        faults.sort_by_key(|(place, _)| *place);
        let error = |(place, fault)| {
            entries.get(place).map(|entry: &CategoryEntry| EntryError { place, id: entry.id.clone(), fault })
        };
        Err(faults.into_iter().filter_map(error).collect())
    }
}

/// An error, and the index of its entry.
type Faults = Vec<(usize, EntryFault)>;

/// The index of each entry's parent. `None` for roots and for unknown parents.
fn find_parents(entries: &[CategoryEntry], faults: &mut Faults) -> Vec<Option<usize>> {
    let mut places = HashMap::with_capacity(entries.len());
    for (place, entry) in entries.iter().enumerate() {
        match places.entry(&entry.id) {
            Entry::Vacant(free) => _ = free.insert(place),
            Entry::Occupied(_) => faults.push((place, EntryFault::Duplicate)),
        }
    }
    let mut parent = |(place, entry): (usize, &CategoryEntry)| {
        let found = match &entry.parent {
            EntryParent::None => return None,
            EntryParent::Around(outer) => Some(*outer).filter(|outer| *outer < place),
            EntryParent::Named(id) => places.get(id).copied(),
        };
        if found.is_none() {
            faults.push((place, EntryFault::UnknownParent));
        }
        found
    };
    entries.iter().enumerate().map(&mut parent).collect()
}

/// The indices of all entries below a root, level by level. Nothing recurses: a body may have as many levels as entries.
fn by_level(parents: &[Option<usize>], faults: &mut Faults) -> Vec<usize> {
    let mut children = vec![Vec::new(); parents.len()];
    let mut level = Vec::new();
    for (place, parent) in parents.iter().enumerate() {
        parent.map_or(&mut level, |parent| &mut children[parent]).push(place);
    }
    let mut all = Vec::with_capacity(parents.len());
    for depth in 1.. {
        if level.is_empty() {
            break;
        }
        if depth == MAX_CATEGORY_DEPTH + 1 {
            faults.extend(level.iter().map(|&place| (place, EntryFault::TooDeep)));
        }
        all.extend_from_slice(&level);
        level = level.iter().flat_map(|&place| std::mem::take(&mut children[place])).collect();
    }
    all
}

/// The circles among the entries that are below no root. Each of these has a parent.
fn circles(parents: &[Option<usize>], on_roots: &[usize]) -> Vec<Vec<usize>> {
    let mut is_seen = vec![false; parents.len()];
    for &place in on_roots {
        is_seen[place] = true;
    }
    let mut circles = Vec::new();
    for start in 0..parents.len() {
        let (mut way, mut next) = (Vec::new(), start);
        while !std::mem::replace(&mut is_seen[next], true) {
            way.push(next);
            next = parents[next].unwrap_or(next);
        }
        // A path that ends at an earlier one belongs to it.
        let first = way.iter().position(|&place| place == next);
        circles.extend(first.map(|first| way.split_off(first)));
    }
    circles
}

/// The first entry of a circle that names its parent. It exists, because a nested entry comes after its parent.
fn blamed(entries: &[CategoryEntry], circle: &[usize]) -> Option<usize> {
    let names_parent = |place: &usize| matches!(entries[*place].parent, EntryParent::Named(_));
    circle.iter().copied().filter(names_parent).min()
}

/// Moves each category into its parent, the deepest first, so that no parent has moved already.
fn assemble(entries: Vec<CategoryEntry>, parents: &[Option<usize>], by_level: &[usize]) -> Vec<Category> {
    let whole = |CategoryEntry { id, label, parent: _ }| Some(Category { id, label, children: Vec::new() });
    let mut categories: Vec<Option<Category>> = entries.into_iter().map(whole).collect();
    let mut roots = Vec::new();
    for &place in by_level.iter().rev() {
        let Some(mut category) = categories[place].take() else { continue };
        // The last sibling came first.
        category.children.reverse();
        match parents[place].and_then(|parent| categories[parent].as_mut()) {
            Some(parent) => parent.children.push(category),
            None => roots.push(category),
        }
    }
    roots.reverse();
    roots
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(id: &str, parent: EntryParent) -> CategoryEntry {
        CategoryEntry { id: CategoryId::new(id).unwrap(), label: format!("The {id}"), parent }
    }

    fn root(id: &str) -> CategoryEntry {
        entry(id, EntryParent::None)
    }

    fn below(id: &str, parent: &str) -> CategoryEntry {
        entry(id, EntryParent::Named(CategoryId::new(parent).unwrap()))
    }

    fn within(id: &str, place: usize) -> CategoryEntry {
        entry(id, EntryParent::Around(place))
    }

    /// `a(b c(d))` for a tree, otherwise the errors.
    fn built(entries: Vec<CategoryEntry>) -> Result<String, Vec<String>> {
        fn written(level: &[Category]) -> String {
            let one = |category: &Category| match written(&category.children) {
                below if below.is_empty() => category.id.to_string(),
                below => format!("{}({below})", category.id),
            };
            level.iter().map(one).collect::<Vec<_>>().join(" ")
        }
        let tree = CategoryTree::from_entries(entries);
        let told = |error: &EntryError| format!("{}: {error}", error.place);
        tree.map(|tree| written(tree.roots())).map_err(|errors| errors.iter().map(told).collect())
    }

    #[test]
    fn siblings_stand_in_the_order_given_wherever_their_parent_stands() {
        let entries =
            vec![below("c", "b"), below("d", "a"), root("z"), root("a"), below("b", "a"), below("e", "b")];
        assert_eq!(built(entries).unwrap(), "z a(d b(c e))");
        assert_eq!(built(vec![]).unwrap(), "");
    }

    #[test]
    fn entries_within_others_and_entries_that_name_their_parent_make_one_tree() {
        let entries =
            vec![below("late", "inner"), root("outer"), within("inner", 1), within("deep", 2), root("last")];
        assert_eq!(built(entries).unwrap(), "outer(inner(late deep)) last");
    }

    #[test]
    fn a_tree_keeps_its_labels() {
        let tree = CategoryTree::from_entries(vec![root("a"), below("b", "a")]).unwrap();
        assert_eq!(tree.roots()[0].children[0].label, "The b");
    }

    #[test]
    fn every_entry_that_does_not_fit_is_told_by_place() {
        let entries = vec![
            below("a", "stranger"),
            root("b"),
            root("b"),
            below("x", "y"),
            below("y", "x"),
            within("z", 9),
        ];
        assert_eq!(
            built(entries).unwrap_err(),
            [
                "0: category \"a\" has an unknown parent",
                "2: category \"b\" stands twice",
                "3: category \"x\" is below itself",
                "5: category \"z\" has an unknown parent",
            ]
        );
    }

    #[test]
    fn a_circle_is_told_once_and_not_of_what_hangs_on_it() {
        assert_eq!(built(vec![below("a", "a")]).unwrap_err(), ["0: category \"a\" is below itself"]);
        let entries = vec![below("leaf", "a"), below("a", "c"), below("b", "a"), below("c", "b"), root("r")];
        assert_eq!(built(entries).unwrap_err(), ["1: category \"a\" is below itself"]);
        // Only the outer one names its parent, which is nested in it.
        let entries = vec![below("outer", "deep"), within("inner", 0), within("deep", 1)];
        assert_eq!(built(entries).unwrap_err(), ["0: category \"outer\" is below itself"]);
        let entries = vec![
            root("r"),
            within("in", 0),
            below("x", "y"),
            within("y", 2),
            below("p", "q"),
            below("q", "p"),
        ];
        assert_eq!(
            built(entries).unwrap_err(),
            ["2: category \"x\" is below itself", "4: category \"p\" is below itself"]
        );
    }

    /// Each below the next, the root last.
    fn chain(levels: usize) -> Vec<CategoryEntry> {
        let one = |level: usize| below(&level.to_string(), &(level + 1).to_string());
        (1..levels).map(one).chain([root(&levels.to_string())]).collect()
    }

    #[test]
    fn a_branch_has_at_most_32_levels_and_its_first_excess_is_told() {
        assert!(built(chain(32)).is_ok());
        assert_eq!(built(chain(33)).unwrap_err(), ["0: category \"1\" is deeper than 32 levels"]);
        assert_eq!(built(chain(40)).unwrap_err(), ["7: category \"8\" is deeper than 32 levels"]);
    }

    #[test]
    fn a_branch_of_any_length_is_measured_without_recursion() {
        assert_eq!(built(chain(100_000)).unwrap_err().len(), 1);
        let mut circle = chain(100_000);
        circle[99_999] = below("100000", "1");
        assert_eq!(built(circle).unwrap_err(), ["0: category \"1\" is below itself"]);
    }
}
