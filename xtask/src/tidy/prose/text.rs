//! The prose of a file as words with their lines, without code and comment marks.

use super::super::documents;
use super::super::source::Source;

/// A word in lower case, without the punctuation around it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) line: usize,
}

/// The words of a Markdown file, outside of code.
pub(super) fn of_markdown(text: &str) -> Vec<Word> {
    documents::prose(text).flat_map(|(line, text)| words(&without_code(text), line)).collect()
}

/// The words in the comments of a Rust file.
pub(super) fn of_comments(source: &Source) -> Vec<Word> {
    source.comments().lines().zip(1..).flat_map(|(text, line)| words(&without_code(text), line)).collect()
}

/// The line with each piece between backticks replaced by one letter.
pub(super) fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect::<Vec<_>>().join("x")
}

fn words(text: &str, line: usize) -> Vec<Word> {
    let bare = text.split_whitespace().map(|word| {
        let word = word.trim_matches(|found: char| !found.is_alphanumeric()).to_lowercase();
        word.strip_suffix("'s").unwrap_or(&word).to_owned()
    });
    bare.filter(|word| !word.is_empty()).map(|text| Word { text, line }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(words: &[Word]) -> Vec<(&str, usize)> {
        words.iter().map(|word| (word.text.as_str(), word.line)).collect()
    }

    #[test]
    fn code_of_a_document_is_no_prose() {
        let words = of_markdown("**Nobody's** `nobody`,\n```\nnobody\n```\n(well)\n");
        assert_eq!(shown(&words), [("nobody", 1), ("x", 1), ("well", 5)]);
    }

    #[test]
    fn comments_are_read_without_their_marks() {
        let source = Source::new("a.rs", "/// A\nfn nobody() {} // b\n");
        assert_eq!(shown(&of_comments(&source)), [("a", 1), ("b", 2)]);
    }
}
