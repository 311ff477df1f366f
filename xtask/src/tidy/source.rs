//! A Rust file as the rules see it: code, comments and literals separately, and which lines are tests.

use std::ops::RangeInclusive;

use super::lexer::{self, Kind};

/// One Rust file. Lines count from 1 everywhere.
pub(crate) struct Source {
    path: String,
    code: String,
    comments: String,
    literals: Vec<Literal>,
    tests: Vec<RangeInclusive<usize>>,
}

/// A string or character of the file, quotes included.
pub(crate) struct Literal {
    /// The line on which it starts.
    pub(crate) line: usize,
    /// As written, with its escapes.
    pub(crate) text: String,
}

impl Source {
    /// Splits a file into code, comments and literals.
    pub(crate) fn new(path: &str, text: &str) -> Self {
        let mut code = String::with_capacity(text.len());
        let mut comments = String::with_capacity(text.len());
        let mut literals = Vec::new();
        let (mut rest, mut line) = (text, 1);
        while !rest.is_empty() {
            let (kind, length) = lexer::next_piece(rest);
            let (piece, tail) = rest.split_at(length);
            push(&mut code, piece, kind == Kind::Code);
            push(&mut comments, piece, kind == Kind::Comment);
            if kind == Kind::Literal {
                literals.push(Literal { line, text: piece.to_owned() });
            }
            line += piece.matches('\n').count();
            rest = tail;
        }
        let tests = test_items(&code);
        Self { path: path.to_owned(), code, comments, literals, tests }
    }

    /// The path from the root of the repository.
    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// The file with spaces in place of comments and literals. Its line numbers are those of the file.
    pub(crate) fn code(&self) -> &str {
        &self.code
    }

    /// The file with spaces in place of everything but comments.
    pub(crate) fn comments(&self) -> &str {
        &self.comments
    }

    /// The strings and characters in their order.
    pub(crate) fn literals(&self) -> &[Literal] {
        &self.literals
    }

    /// Whether a line only exists in tests: by the file's path, or inside an item marked `#[cfg(test)]`.
    pub(crate) fn is_test(&self, line: usize) -> bool {
        is_test_file(&self.path) || self.tests.iter().any(|range| range.contains(&line))
    }
}

/// Copies a piece, or blanks it while keeping its line breaks.
fn push(target: &mut String, piece: &str, keep: bool) {
    if keep {
        target.push_str(piece);
    } else {
        target.extend(piece.chars().map(|found| if found == '\n' { '\n' } else { ' ' }));
    }
}

fn is_test_file(path: &str) -> bool {
    path.split('/').any(|part| matches!(part, "tests" | "tests.rs" | "benches"))
}

fn test_items(code: &str) -> Vec<RangeInclusive<usize>> {
    let marks = code.match_indices("#[cfg(test)]");
    marks.map(|(at, mark)| line_of(code, at)..=line_of(code, item_end(code, at + mark.len()))).collect()
}

/// The line of a byte offset.
pub(crate) fn line_of(code: &str, offset: usize) -> usize {
    let before = code.bytes().take(offset);
    1 + before.filter(|&byte| byte == b'\n').count()
}

/// The offset of the `;` or of the closing brace that ends the item at `start`, in text without comments and
/// literals. Matching braces is enough: attributes, parameters and generics have balanced brackets.
pub(crate) fn item_end(code: &str, start: usize) -> usize {
    let mut depth = 0_usize;
    for (at, byte) in code.bytes().enumerate().skip(start) {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' => depth = depth.saturating_sub(1),
            b'}' if depth <= 1 => return at,
            b'}' => depth -= 1,
            b';' if depth == 0 => return at,
            _ => {}
        }
    }
    code.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masked_text_keeps_its_lines() {
        let source = Source::new("a.rs", "let a = \"x\ny\"; // é {\nlet b = '{';\n");
        assert_eq!(source.code(), "let a =   \n  ;       \nlet b =    ;\n");
        assert_eq!(source.comments().lines().nth(1).map(str::trim), Some("// é {"));
        assert_eq!(source.literals().iter().map(|found| found.line).collect::<Vec<_>>(), [1, 3]);
    }

    #[test]
    fn test_module_ends_at_its_brace() {
        let text =
            "fn a() {}\n#[cfg(test)]\n#[path = \"b.rs\"]\nmod tests {\n    fn b() { [1; 2] }\n}\nfn c() {}\n";
        let source = Source::new("crates/x/src/lib.rs", text);
        let lines: Vec<usize> = (1..=7).filter(|&line| source.is_test(line)).collect();
        assert_eq!(lines, [2, 3, 4, 5, 6]);
    }

    #[test]
    fn files_of_a_test_folder_are_tests() {
        assert!(Source::new("crates/x/tests/it/main.rs", "fn a() {}").is_test(1));
        assert!(!Source::new("crates/testkit/src/lib.rs", "fn a() {}").is_test(1));
    }
}
