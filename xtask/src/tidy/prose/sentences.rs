//! Sentences of documents that are too long to understand at the first reading.

use super::super::documents;
use super::super::finding::Finding;
use super::super::tree::Tree;
use super::text::without_code;

/// The most words of a sentence. A good one has about 20.
const WORDS_MAX: usize = 45;

/// A sentence whose end is not reached yet.
#[derive(Default)]
struct Sentence {
    line: usize,
    words: usize,
}

/// Finds every sentence that is too long.
pub(super) fn find(tree: &Tree) -> Vec<Finding> {
    tree.with_extension("md").flat_map(|(path, text)| of_file(path, text)).collect()
}

fn of_file(path: &str, text: &str) -> Vec<Finding> {
    let (mut findings, mut sentence, mut last) = (Vec::new(), Sentence::default(), 0);
    let mut end = |sentence: &mut Sentence| {
        let Sentence { line, words } = std::mem::take(sentence);
        let message = format!("a sentence of {words} words, at most {WORDS_MAX}: make two of it");
        findings.extend((words > WORDS_MAX).then(|| Finding::new(path, line, "sentences", message)));
    };
    for (line, text) in documents::prose(text) {
        // A code block also ends a sentence.
        if line != last + 1 || begins_block(text) {
            end(&mut sentence);
        }
        last = line;
        for word in without_code(text).split_whitespace() {
            if sentence.words == 0 {
                sentence.line = line;
            }
            sentence.words += usize::from(word.contains(char::is_alphanumeric));
            if ends_sentence(word) {
                end(&mut sentence);
            }
        }
    }
    end(&mut sentence);
    findings
}

/// Whether a line begins a block: a paragraph, a heading, a list item, a table row.
fn begins_block(line: &str) -> bool {
    let line = line.trim_start();
    let is_numbered = || line.split_once(". ").is_some_and(|(number, _)| number.parse::<u32>().is_ok());
    line.is_empty() || ["#", "- ", "* ", "|", ">"].iter().any(|mark| line.starts_with(mark)) || is_numbered()
}

/// Whether a word is the last of its sentence, or the end of a cell.
fn ends_sentence(word: &str) -> bool {
    word == "|" || word.trim_end_matches([')', '"', '*', '_', '”']).ends_with(['.', '!', '?'])
}

#[cfg(test)]
mod tests {
    use super::super::super::finding::printed;
    use super::*;

    fn found(text: &str) -> Vec<String> {
        printed(&of_file("docs/a.md", text))
    }

    #[test]
    fn sentence_over_two_lines_is_counted_as_one() {
        let half = "word ".repeat(WORDS_MAX / 2 + 1);
        let expected = "docs/a.md:3: sentences: a sentence of 46 words, at most 45: make two of it";
        assert_eq!(found(&format!("# A\n\n{half}\n{half}.\n")), [expected]);
    }

    #[test]
    fn dots_cells_items_blank_lines_and_code_end_a_sentence() {
        let half = "word ".repeat(WORDS_MAX / 2 + 1);
        for between in [". ", " | ", "\n- ", "\n1. ", "\n\n", "\n## ", ".) ", "\n```\na\n```\n"] {
            assert!(found(&format!("{half}{between}{half}\n")).is_empty(), "{between:?}");
        }
    }

    #[test]
    fn code_in_a_sentence_is_one_word() {
        let code = format!("`{}`", "word ".repeat(WORDS_MAX + 1));
        assert!(found(&format!("Call {code} once.\n")).is_empty());
    }
}
