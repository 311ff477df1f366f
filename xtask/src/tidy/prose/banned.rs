//! Words that hide the actor, and words for which the glossary has another one.

use super::super::finding::Finding;
use super::super::tree::Tree;
use super::text::{self, Word};

const GLOSSARY: &str = "docs/glossary.md";

/// Vague words, and what to write instead.
const VAGUE: &[(&str, &str)] = &[
    ("whoever", "name the actor"),
    ("whatever", "say what"),
    ("nobody", "name who does not"),
    ("somebody", "name the actor"),
    ("there is none", "say what is missing"),
    ("by itself", "say what does it, or leave it out"),
    ("of its own", "say which"),
    ("as they stand", "leave it out"),
    ("to be had", "say where it is"),
    ("so much at once as", "say how much"),
];

/// Words of the glossary's last column. Words that also mean something else (`tag`, `line`, `node`) are not here.
const RENAMED: &[(&str, &str)] = &[
    ("base address", "base URL"),
    ("back end", "store"),
    ("kept answer", "kept response"),
    ("fortune", "balance"),
    ("coins", "points"),
    ("surroundings", "context"),
    ("too busy", "overloaded"),
    ("shelf", "category"),
];

/// Finds every such word.
pub(super) fn find(tree: &Tree) -> Vec<Finding> {
    let documents = tree.with_extension("md").filter(|(path, _)| *path != GLOSSARY);
    let documents = documents.map(|(path, text)| (path, text::of_markdown(current(path, text))));
    let sources = tree.sources().iter().map(|source| (source.path(), text::of_comments(source)));
    documents.chain(sources).flat_map(|(path, words)| of_file(path, &words)).collect()
}

/// The text that is checked. Of a changelog that is the newest version: the entries of older versions do not change.
fn current<'t>(path: &str, text: &'t str) -> &'t str {
    let second = || text.match_indices("\n## ").nth(1).and_then(|(at, _)| text.get(..at));
    if path == "CHANGELOG.md" { second().unwrap_or(text) } else { text }
}

fn of_file(path: &str, words: &[Word]) -> Vec<Finding> {
    let found = words.iter().enumerate().filter_map(|(at, first)| {
        let begins = |phrase: &str| {
            let mut next = words.iter().skip(at);
            phrase.starts_with(&first.text)
                && phrase.split(' ').all(|part| next.next().is_some_and(|word| word.text == part))
        };
        let (phrase, advice) = VAGUE.iter().chain(RENAMED).find(|(phrase, _)| begins(phrase))?;
        Some(Finding::new(path, first.line, "words", format!("`{phrase}`: {advice}")))
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::super::super::finding::printed;
    use super::*;

    fn found(path: &str, text: &str) -> Vec<String> {
        printed(&find(&Tree::of(&[(path, text)])))
    }

    #[test]
    fn phrase_over_two_lines_is_found_at_its_first_line() {
        let text = "# A\n\nIt has a folder of\nits own. There is\nnone.\n";
        let expected = [
            "docs/a.md:3: words: `of its own`: say which",
            "docs/a.md:4: words: `there is none`: say what is missing",
        ];
        assert_eq!(found("docs/a.md", text), expected);
    }

    #[test]
    fn code_names_and_the_glossary_are_not_checked() {
        assert!(found("crates/a/src/b.rs", "fn nobody() { a(\"nobody\"); } // `nobody`\n").is_empty());
        assert!(found(GLOSSARY, "# A\n\nnobody\n").is_empty());
    }

    #[test]
    fn changelog_counts_in_its_newest_version() {
        let text = "# A\n\n## Unreleased\n\nnobody\n\n## 0.1.0\n\nnobody\n";
        assert_eq!(found("CHANGELOG.md", text).len(), 1);
    }

    #[test]
    fn renamed_words_are_in_the_glossary() {
        let glossary = include_str!("../../../../docs/glossary.md");
        let rows: Vec<Vec<&str>> =
            glossary.lines().map(|line| line.split('|').map(str::trim).collect()).collect();
        for (banned, better) in RENAMED {
            let row =
                rows.iter().find(|row| row.len() == 5 && row[3].split(", ").any(|word| word == *banned));
            let row = row.unwrap_or_else(|| panic!("{banned} is not in the last column"));
            assert!(row[1].contains(better), "{banned}: {better} is not {}", row[1]);
        }
    }
}
