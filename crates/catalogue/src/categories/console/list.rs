//! The categories of a tree one by one, and those that a search finds.

use std::borrow::Cow;
use std::collections::HashSet;

use pointbook_access::console_kit::components::clipped;
use pointbook_domain::id::MAX_ID_CHARS;
use pointbook_domain::{Category, CategoryId, CategoryTree};

use crate::index::fold_title;

/// The most labels of a path that a page shows, and the most characters of each: a page stays small in a tree of long labels.
const MAX_LABELS: usize = 5;
const MAX_LABEL_CHARS: usize = 50;

/// The most words of a search. It reads every path once for each of them.
const MAX_WORDS: usize = 10;

/// A category of a tree with its place in it.
pub(crate) struct Listed<'t> {
    pub(crate) category: &'t Category,
    /// The categories above it, the nearest one last.
    pub(crate) above: Vec<&'t Category>,
    /// The index among its siblings, and how many they are.
    pub(crate) place: (usize, usize),
}

impl<'t> Listed<'t> {
    /// The level, from 0.
    pub(crate) fn level(&self) -> usize {
        self.above.len()
    }

    /// `None` at the top level.
    pub(crate) fn parent(&self) -> Option<&'t Category> {
        self.above.last().copied()
    }

    /// The last labels from the top level down to the category.
    pub(crate) fn path(&self) -> String {
        let labels: Vec<Cow<'_, str>> = self
            .above
            .iter()
            .chain([&self.category])
            .map(|category| clipped(&category.label, MAX_LABEL_CHARS))
            .collect();
        let left_out = labels.len().saturating_sub(MAX_LABELS);
        let shown = labels.get(left_out..).unwrap_or_default().join(" › ");
        if left_out > 0 { format!("… › {shown}") } else { shown }
    }
}

/// All categories, each before those below it.
pub(crate) fn listed(tree: &CategoryTree) -> Vec<Listed<'_>> {
    let mut all = Vec::new();
    list(tree.roots(), &[], &mut all);
    all
}

/// Recursive, but never deeper than a tree may be.
fn list<'t>(categories: &'t [Category], above: &[&'t Category], all: &mut Vec<Listed<'t>>) {
    for (index, category) in categories.iter().enumerate() {
        all.push(Listed { category, above: above.to_vec(), place: (index, categories.len()) });
        list(&category.children, &[above, &[category]].concat(), all);
    }
}

/// The categories that have each word of the search in their path or id. Those that have the words in their own label or id come before
/// those that are only below such a category. As in the search for products, case, width and accents do not matter.
pub(crate) fn matching<'t>(tree: &'t CategoryTree, search: &str) -> Vec<Listed<'t>> {
    let search = fold_title(&clipped(search, MAX_ID_CHARS));
    let words: Vec<&str> = search.split_whitespace().take(MAX_WORDS).collect();
    if words.is_empty() {
        return Vec::new();
    }
    let (mut found, mut paths) = (Vec::new(), Vec::<String>::new());
    for listed in listed(tree) {
        paths.truncate(listed.level());
        let own = [listed.category.label.as_str(), listed.category.id.as_str()].map(fold_title);
        let path = format!("{}\n{}", paths.last().map_or("", String::as_str), own.join("\n"));
        if let Some(rank) = rank(&words, &own, &path) {
            found.push((rank, listed));
        }
        paths.push(path);
    }
    found.sort_by_key(|(rank, _)| *rank);
    found.into_iter().map(|(_, listed)| listed).collect()
}

/// How well a category fits: 0 when its label or id is the search. `None` when it does not fit. The path has the ids, too.
fn rank(words: &[&str], own: &[String; 2], path: &str) -> Option<u8> {
    let has_words = |text: &str| words.iter().all(|word| text.contains(word));
    let search = words.join(" ");
    if own.contains(&search) {
        Some(0)
    } else if has_words(&own.join("\n")) {
        Some(1)
    } else {
        has_words(path).then_some(2)
    }
}

/// The chosen ids that no category has and that are not among the kept ones.
pub(crate) fn unknown<'c>(
    tree: &CategoryTree,
    kept: &[CategoryId],
    chosen: impl Iterator<Item = &'c str>,
) -> Vec<&'c str> {
    let mut known: HashSet<&str> = kept.iter().map(CategoryId::as_str).collect();
    tree.visit(&mut |category, _, _| _ = known.insert(category.id.as_str()));
    chosen.filter(|id| !known.contains(id)).collect()
}

pub(crate) fn indent(level: usize) -> String {
    "\u{2003}".repeat(level)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn category(id: &str, label: &str, children: Vec<Category>) -> Category {
        Category { id: CategoryId::new(id).unwrap(), label: label.to_owned(), children }
    }

    fn sample() -> CategoryTree {
        let tea = vec![category("t1", "Tea pots", vec![]), category("t2", "Ｔｅａ", vec![])];
        let home = vec![category("k", "KÜCHE", tea), category("ガ-1", "Garten", vec![])];
        CategoryTree::new(vec![category("h", "Haus & Hof", home)]).unwrap()
    }

    #[test]
    fn a_search_finds_labels_paths_and_ids() {
        for (search, expected) in [
            ("tea", "t2 t1"),
            ("ＴＥＡ pots", "t1"),
            ("küche", "k t1 t2"),
            ("kuche  tea", "t1 t2"),
            ("haus garten", "ガ-1"),
            ("ｶﾞ-1", "ガ-1"),
            ("T1", "t1"),
            ("h", "h k t1 t2 ガ-1"),
            ("cups", ""),
            (" \u{3000}", ""),
        ] {
            let tree = sample();
            let found = matching(&tree, search);
            let ids: Vec<_> = found.iter().map(|listed| listed.category.id.as_str()).collect();
            assert_eq!(ids.join(" "), expected, "{search}");
        }
    }

    #[test]
    fn a_long_path_has_its_last_labels() {
        let deep =
            ["f", "e", "d", "c", "b"].into_iter().fold(vec![], |below, id| vec![category(id, id, below)]);
        let tree = CategoryTree::new(vec![category("a", &"x".repeat(51), deep)]).unwrap();
        let all = listed(&tree);
        let paths: Vec<_> = [0, 1, 5].into_iter().map(|at| all[at].path()).collect();
        let first = format!("{}…", "x".repeat(50));
        assert_eq!(paths, [first.clone(), format!("{first} › b"), "… › b › c › d › e › f".to_owned()]);
    }

    #[test]
    fn an_id_that_is_kept_is_not_unknown() {
        let kept = [CategoryId::new("gone").unwrap()];
        assert_eq!(unknown(&sample(), &kept, ["k", "gone", "x", "K"].into_iter()), ["x", "K"]);
    }
}
