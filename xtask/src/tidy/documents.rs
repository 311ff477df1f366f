//! Documents have one title, the map names every room, and decisions are numbered.

use super::finding::Finding;
use super::tree::Tree;

const RULE: &str = "documents";

/// The documents that a newcomer or an operator expects at the root.
const NEEDED: &[&str] = &["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"];

/// The document with the table of all rooms.
const MAP: &str = "ARCHITECTURE.md";

/// The most lines of the map. People do not read longer ones.
const MAP_LINES_MAX: usize = 250;

/// The folder of the decisions.
const DECISIONS: &str = "docs/adr";

/// The table of contents of the book. mdBook requires a title for each of its parts.
const SUMMARY: &str = "docs/SUMMARY.md";

/// Checks every Markdown file.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let documents = tree.with_extension("md").filter(|(path, _)| *path != SUMMARY);
    let titles = documents.filter_map(|(path, text)| title(path, text));
    titles.chain(missing(tree)).chain(map(tree)).chain(decisions(tree)).collect()
}

/// The lines outside of fenced code, with their numbers.
pub(crate) fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut fence = None;
    text.lines().zip(1..).filter_map(move |(text, line)| {
        let mark = ["```", "~~~"].into_iter().find(|mark| text.trim_start().starts_with(mark));
        match (fence, mark) {
            (None, None) => return Some((line, text)),
            (None, Some(_)) => fence = mark,
            (Some(_), _) if fence == mark => fence = None,
            (Some(_), _) => {}
        }
        None
    })
}

fn title(path: &str, text: &str) -> Option<Finding> {
    let titles: Vec<usize> =
        prose(text).filter(|(_, text)| text.starts_with("# ")).map(|(line, _)| line).collect();
    let message = match titles.as_slice() {
        [1] => return None,
        [1, second, ..] => return Some(Finding::new(path, *second, RULE, "a second title: make it `##`")),
        _ => "the first line is not the title: start with `# ` and the subject of the document",
    };
    Some(Finding::new(path, 1, RULE, message))
}

fn missing(tree: &Tree) -> impl Iterator<Item = Finding> {
    let missing = NEEDED.iter().filter(|path| tree.text(path).is_none());
    missing.map(|path| Finding::new(path, 1, RULE, "this document is missing: write it"))
}

fn map(tree: &Tree) -> Vec<Finding> {
    let Some(text) = tree.text(MAP) else {
        return Vec::new();
    };
    let length = text.lines().count();
    let long =
        (length > MAP_LINES_MAX).then(|| format!("{length} lines, at most {MAP_LINES_MAX}: shorten it"));
    let unnamed = tree.crate_folders().filter(|folder| !text.contains(*folder));
    let unnamed = unnamed.map(|folder| format!("`{folder}` is not on the map: say what it contains"));
    long.into_iter().chain(unnamed).map(|message| Finding::new(MAP, 1, RULE, message)).collect()
}

fn decisions(tree: &Tree) -> Vec<Finding> {
    let names = tree.below(DECISIONS).filter_map(|(path, _)| Some((path, path.rsplit('/').next()?)));
    let wrong = names.zip(1..).filter(|((_, name), number)| decision_number(name) != Some(*number));
    let found = wrong.map(|((path, _), number)| {
        let message = format!("expected `{number:04}-short-title.md` here: number from 0001 without a gap");
        Finding::new(path, 1, RULE, message)
    });
    found.collect()
}

/// The number of `NNNN-short-title.md`, or `None` when the name has another form.
fn decision_number(name: &str) -> Option<usize> {
    let (number, title) = name.strip_suffix(".md")?.split_once('-')?;
    let is_plain = |found: char| found.is_ascii_lowercase() || found.is_ascii_digit() || found == '-';
    let well_formed = number.len() == 4 && !title.is_empty() && title.chars().all(is_plain);
    well_formed.then(|| number.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::super::finding::printed;
    use super::*;

    /// The findings in a repository whose other documents are correct.
    fn findings(files: &[(&str, &str)]) -> Vec<String> {
        let mut all: Vec<_> = NEEDED.iter().map(|&path| (path, "# Title\n\n`crates/app`\n")).collect();
        all.push(("crates/app/Cargo.toml", ""));
        all.extend(files);
        printed(&check(&Tree::of(&all)))
    }

    #[test]
    fn document_has_one_title_at_its_first_line() {
        assert!(findings(&[("docs/a.md", "# A\n\n```sh\n# a comment\n```\n## B\n")]).is_empty());
        assert_eq!(findings(&[("docs/a.md", "\n# A\n")]).len(), 1);
        assert_eq!(findings(&[("docs/a.md", "A\n")]).len(), 1);
        let second = "docs/a.md:3: documents: a second title: make it `##`";
        assert_eq!(findings(&[("docs/a.md", "# A\n\n# B\n")]), [second]);
        assert!(findings(&[("docs/SUMMARY.md", "# A\n\n# B\n")]).is_empty());
    }

    #[test]
    fn fence_ends_with_its_own_mark_only() {
        let lines: Vec<usize> = prose("a\n```\n~~~\nb\n```\nc\n").map(|(line, _)| line).collect();
        assert_eq!(lines, [1, 6]);
    }

    #[test]
    fn missing_document_is_found() {
        assert_eq!(check(&Tree::of(&[])).len(), NEEDED.len());
    }

    #[test]
    fn room_that_is_not_on_the_map_is_found() {
        let found = findings(&[("crates/new/Cargo.toml", "")]);
        assert_eq!(
            found,
            ["ARCHITECTURE.md:1: documents: `crates/new` is not on the map: say what it contains"]
        );
    }

    #[test]
    fn map_that_is_too_long_is_found() {
        let text = format!("# Map\n`crates/app`{}", "\n".repeat(MAP_LINES_MAX));
        assert_eq!(findings(&[(MAP, &text)]).len(), 1);
    }

    #[test]
    fn decisions_are_numbered_without_gaps() {
        assert!(
            findings(&[("docs/adr/0001-one-writer.md", "# A\n"), ("docs/adr/0002-b.md", "# B\n")]).is_empty()
        );
        assert_eq!(findings(&[("docs/adr/0001-a.md", "# A\n"), ("docs/adr/0003-c.md", "# C\n")]).len(), 1);
        assert_eq!(findings(&[("docs/adr/1-a.md", "# A\n")]).len(), 1);
    }
}
