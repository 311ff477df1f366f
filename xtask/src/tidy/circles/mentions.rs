//! The mentions of other files in a Rust file: its imports, and the paths that it names.

use super::super::lexer::is_word;
use super::super::source::Source;

/// A path as written, by its segments.
pub(super) type Path<'s> = Vec<&'s str>;

/// One name that a `use` brings into a file. Glob imports (`*`) are left out, because only tests have them.
pub(super) struct Import<'s> {
    pub(super) name: &'s str,
    pub(super) path: Path<'s>,
    /// Whether it only re-exports the name, which does not count as a mention.
    pub(super) is_public: bool,
}

/// The imports of a file, and the paths outside of imports. A single word is a path, too.
#[derive(Default)]
pub(super) struct Mentions<'s> {
    pub(super) imports: Vec<Import<'s>>,
    pub(super) paths: Vec<Path<'s>>,
}

/// Reads the code of a file without its tests.
pub(super) fn mentions(source: &Source) -> Mentions<'_> {
    let lines = source.code().lines().zip(1..).filter(|(_, line)| !source.is_test(*line));
    let tokens: Vec<&str> = lines.flat_map(|(text, _)| tokens(text)).collect();
    let mut mentions = Mentions::default();
    let mut at = 0;
    while let Some(&token) = tokens.get(at) {
        at = match token {
            "use" => read_use(&tokens, at, &mut mentions),
            // The path in `pub(in a::b)` is a visibility, and a name after a dot is a member.
            "pub" => behind_visibility(&tokens, at),
            "." => at + 2,
            word if word.starts_with(is_word) => read_path(&tokens, at, &mut mentions),
            _ => at + 1,
        };
    }
    mentions
}

/// Words, `::`, and every other character but white space.
fn tokens(mut text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    while let Some(first) = text.chars().next() {
        let word = text.find(|found| !is_word(found)).unwrap_or(text.len());
        let length = if text.starts_with("::") { 2 } else { word.max(first.len_utf8()) };
        let (token, rest) = text.split_at(length);
        tokens.extend((!first.is_whitespace()).then_some(token));
        text = rest;
    }
    tokens
}

/// The index after `pub`, `pub(crate)` or `pub(in a::b)`.
fn behind_visibility(tokens: &[&str], at: usize) -> usize {
    let is_restricted = tokens.get(at + 1) == Some(&"(")
        && matches!(tokens.get(at + 2), Some(&("crate" | "super" | "self" | "in")));
    let behind = tokens.iter().skip(at).position(|&token| token == ")");
    if is_restricted { at + behind.map_or(1, |length| length + 1) } else { at + 1 }
}

/// Reads a path of at least one word, and returns the index after it.
fn read_path<'s>(tokens: &[&'s str], at: usize, mentions: &mut Mentions<'s>) -> usize {
    let (mut path, mut at) = (vec![tokens[at]], at + 1);
    while let [separator, word, ..] = tokens[at..]
        && separator == "::"
        && word.starts_with(is_word)
    {
        path.push(word);
        at += 2;
    }
    mentions.paths.push(path);
    at
}

/// Reads `use a::{b, c as d};`, and returns the index after it.
fn read_use<'s>(tokens: &[&'s str], at: usize, mentions: &mut Mentions<'s>) -> usize {
    let is_public = matches!(at.checked_sub(1).map(|before| tokens[before]), Some("pub" | ")"));
    let (mut path, mut outer, mut at) = (Path::new(), Vec::new(), at + 1);
    let mut name = "";
    while let Some(&token) = tokens.get(at) {
        match token {
            "{" => outer.push(path.clone()),
            "}" | "," | ";" => {
                if !matches!(name, "" | "*") {
                    path.pop_if(|last| *last == "self");
                    let own = if name == "self" { path.last().copied().unwrap_or_default() } else { name };
                    mentions.imports.push(Import { name: own, path: path.clone(), is_public });
                }
                name = "";
                if token == "}" {
                    outer.pop();
                }
                path = outer.last().cloned().unwrap_or_default();
            }
            "as" => {
                at += 1;
                name = tokens.get(at).copied().unwrap_or_default();
            }
            "::" => {}
            word => {
                path.push(word);
                name = word;
            }
        }
        at += 1;
        if token == ";" {
            break;
        }
    }
    at
}
