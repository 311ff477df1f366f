//! Finds the functions of a file and their lengths in lines.

use super::lexer::is_word;
use super::source::{item_end, line_of};

/// A function, closures inside it included.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Function {
    /// Its name without the type it belongs to.
    pub(crate) name: String,
    /// The line of its `fn`.
    pub(crate) line: usize,
    /// From the line of `fn` to the line of the closing brace, both counted. Attributes and comments above do not count.
    pub(crate) lines: usize,
}

/// Every function with a name, from code without comments and literals.
///
/// The keyword `fn` with a name starts a function, and the matching brace ends it. A pointer type (`fn(u8)`) and a macro's
/// `fn $name` have no name. Comments and literals are already blank, so every brace counts.
pub(crate) fn functions(code: &str) -> Vec<Function> {
    code.match_indices("fn ").filter_map(|(at, keyword)| function(code, at, at + keyword.len())).collect()
}

fn function(code: &str, at: usize, name_at: usize) -> Option<Function> {
    let inside_word = code.get(..at)?.chars().next_back().is_some_and(is_word);
    let name: String = code.get(name_at..)?.chars().take_while(|&found| is_word(found)).collect();
    if inside_word || name.is_empty() {
        return None;
    }
    let line = line_of(code, at);
    let lines = line_of(code, item_end(code, at)) - line + 1;
    Some(Function { name, line, lines })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(code: &str) -> Vec<(String, usize, usize)> {
        functions(code).into_iter().map(|found| (found.name, found.line, found.lines)).collect()
    }

    #[test]
    fn functions_are_measured_from_keyword_to_brace() {
        let code = "pub fn one() {}\n\nasync fn two(\n    a: [u8; 4],\n) -> u8\nwhere\n    u8: Copy,\n{\n    {}\n}\n";
        assert_eq!(found(code), [("one".to_owned(), 1, 1), ("two".to_owned(), 3, 8)]);
    }

    #[test]
    fn method_without_body_ends_at_its_semicolon() {
        let code = "trait A {\n    fn a(\n        &self,\n    );\n    fn b() {\n    }\n}\n";
        assert_eq!(found(code), [("a".to_owned(), 2, 3), ("b".to_owned(), 5, 2)]);
    }

    #[test]
    fn pointer_types_and_macro_names_are_no_functions() {
        assert_eq!(found("type A = fn (u8) -> u8; fn $name() {} let often = 1;"), []);
    }
}
