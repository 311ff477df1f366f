//! Every page below `docs/` is exactly once in the table of contents of the book.

use super::documents::prose;
use super::finding::Finding;
use super::links::{resolve, targets};
use super::tree::{Tree, is_below};

const RULE: &str = "book";

/// The folder of the book's pages.
const DOCS: &str = "docs";

/// The table of contents of the book.
const SUMMARY: &str = "docs/SUMMARY.md";

/// Compares the pages with the table of contents. The rule `links` finds broken links.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let text = tree.text(SUMMARY).unwrap_or_default();
    let links = prose(text).flat_map(|(_, line)| targets(line));
    let listed: Vec<String> = links.filter_map(|target| resolve(DOCS, &target)).collect();
    let documents = tree.with_extension("md").filter(|(path, _)| *path != SUMMARY);
    let pages = documents.filter(|(path, _)| is_below(path, DOCS));
    let found = pages.filter_map(|(path, _)| {
        let advice = match listed.iter().filter(|listed| *listed == path).count() {
            1 => return None,
            0 => "is not in `docs/SUMMARY.md`: add a line `- [Title](path from docs/)` to its section",
            _ => "is in `docs/SUMMARY.md` more than once: mdBook takes a page once",
        };
        Some(Finding::new(path, 1, RULE, format!("this page {advice}")))
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::super::finding::printed;
    use super::*;

    fn findings(summary: &str) -> Vec<String> {
        let files = [("docs/SUMMARY.md", summary), ("docs/a.md", ""), ("docs/b/c.md", ""), ("d.md", "")];
        printed(&check(&Tree::of(&files)))
    }

    #[test]
    fn page_outside_of_the_table_of_contents_is_found() {
        assert!(findings("# Book\n\n[A](a.md)\n\n- [C](./b/c.md)\n- [D](../d.md)\n").is_empty());
        let found = findings("- [A](a.md)\n");
        assert!(found.len() == 1 && found[0].starts_with("docs/b/c.md:1: book: "), "{found:?}");
    }

    #[test]
    fn page_that_is_listed_twice_is_found() {
        assert_eq!(findings("- [A](a.md)\n- [A](a.md)\n- [C](b/c.md)\n").len(), 1);
    }
}
