//! Doc comments that only repeat the name of their item.

use std::collections::BTreeSet;

use super::super::finding::Finding;
use super::super::lexer::is_word;
use super::super::source::Source;
use super::super::tree::Tree;

/// Words that add nothing to a name.
const FILLERS: &[&str] =
    &["a", "all", "an", "and", "for", "in", "is", "its", "of", "on", "the", "their", "this", "to"];

/// Rust keywords between the beginning of a line and the name.
const KEYWORDS: &[&str] = &[
    "pub", "crate", "super", "in", "async", "const", "unsafe", "fn", "struct", "enum", "trait", "type",
    "static", "mod", "mut",
];

/// Finds every such comment.
pub(super) fn find(tree: &Tree) -> Vec<Finding> {
    tree.sources().iter().flat_map(of_file).collect()
}

fn of_file(source: &Source) -> Vec<Finding> {
    let comments: Vec<&str> = source.comments().lines().map(str::trim).collect();
    let code: Vec<&str> = source.code().lines().map(str::trim).collect();
    let is_doc =
        |at: Option<usize>| at.and_then(|at| comments.get(at)).is_some_and(|line| line.starts_with("///"));
    let found = comments.iter().enumerate().filter_map(|(at, line)| {
        let comment = line.strip_prefix("///")?;
        let is_alone = !is_doc(at.checked_sub(1)) && !is_doc(at.checked_add(1));
        let name = name(code.iter().skip(at + 1))?;
        let message =
            || format!("`{}` repeats `{name}`: say what the name does not, or remove it", comment.trim());
        (is_alone && repeats(comment, name)).then(|| Finding::new(source.path(), at + 1, "names", message()))
    });
    found.collect()
}

/// The name of the item that follows a comment and its attributes.
fn name<'c>(mut lines: impl Iterator<Item = &'c &'c str>) -> Option<&'c str> {
    let item = lines.find(|line| !line.is_empty() && !line.starts_with("#["))?;
    item.split(|found| !is_word(found)).find(|word| !word.is_empty() && !KEYWORDS.contains(word))
}

fn repeats(comment: &str, name: &str) -> bool {
    let named: BTreeSet<String> = parts(name).iter().map(|part| singular(part)).collect();
    let words = comment.split(|found| !is_word(found)).filter(|word| !word.is_empty());
    let telling: Vec<String> =
        words.map(str::to_lowercase).filter(|word| !FILLERS.contains(&word.as_str())).collect();
    !telling.is_empty() && telling.iter().all(|word| named.contains(&singular(word)))
}

/// `order_id`, `OrderId` and `ORDER_ID` have the parts `order` and `id`.
fn parts(name: &str) -> Vec<String> {
    let is_constant = !name.contains(char::is_lowercase);
    let mut parts = vec![String::new()];
    for found in name.chars() {
        if found == '_' || (found.is_uppercase() && !is_constant) {
            parts.push(String::new());
        }
        if let Some(part) = parts.last_mut().filter(|_| found != '_') {
            part.extend(found.to_lowercase());
        }
    }
    parts
}

fn singular(word: &str) -> String {
    word.strip_suffix('s').unwrap_or(word).to_owned()
}

#[cfg(test)]
mod tests {
    use super::super::super::finding::printed;
    use super::*;

    fn found(text: &str) -> usize {
        of_file(&Source::new("crates/a/src/b.rs", text)).len()
    }

    #[test]
    fn comment_that_repeats_a_name_is_found() {
        let text = "/// The page.\n#[must_use]\npub(crate) fn page(self) {}\n";
        let expected = "crates/a/src/b.rs:1: names: `The page.` repeats `page`: say what the name does not, or remove it";
        assert_eq!(printed(&of_file(&Source::new("crates/a/src/b.rs", text))), [expected]);
        for text in [
            "/// Its order id.\norder_id: Id,\n",
            "/// The orders.\nstruct OrderList;\n",
            "/// The limit.\nconst LIMIT: u8 = 1;\n",
        ] {
            assert_eq!(found(text), 1, "{text}");
        }
    }

    #[test]
    fn comment_that_says_more_is_fine() {
        for text in [
            "/// The page, from 1.\nfn page() {}\n",
            "/// The page.\n///\n/// It counts from 1.\nfn page() {}\n",
            "// The page.\nfn page() {}\n",
            "/// Of the\nfn page() {}\n",
        ] {
            assert_eq!(found(text), 0, "{text}");
        }
    }
}
