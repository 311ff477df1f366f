//! Splits a Rust file into code, comments and literals, without parsing it.
//!
//! A rule about code must not match a word in a comment, and a rule about strings must not miss a raw string.
//! A full parser would find more than the rules need, and would take longer than all of them together.

/// The kind of a piece of Rust text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Names, keywords, numbers, punctuation, white space.
    Code,
    /// A line or block comment, documentation included.
    Comment,
    /// A string, byte string, C string or character, with its quotes.
    Literal,
}

/// The kind and the length in bytes of the piece that starts at `rest`, which must not be empty.
pub(crate) fn next_piece(rest: &str) -> (Kind, usize) {
    if rest.starts_with("//") {
        return (Kind::Comment, rest.find('\n').unwrap_or(rest.len()));
    }
    if rest.starts_with("/*") {
        return (Kind::Comment, block_comment_length(rest));
    }
    match string_length(rest).or_else(|| character_length(rest)) {
        Some(length) => (Kind::Literal, length),
        None => (Kind::Code, code_length(rest)),
    }
}

/// Block comments nest in Rust. An unclosed one extends to the end of the file.
fn block_comment_length(rest: &str) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while let Some(tail) = rest.get(at..) {
        if tail.starts_with("/*") {
            depth += 1;
            at += 2;
        } else if tail.starts_with("*/") {
            depth = depth.saturating_sub(1);
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            let Some(next) = tail.chars().next() else { break };
            at += next.len_utf8();
        }
    }
    rest.len()
}

/// `"..."`, with the prefixes b and c, and their raw forms with any number of hashes.
fn string_length(rest: &str) -> Option<usize> {
    let prefix = rest.find(|found| !matches!(found, 'b' | 'c' | 'r'))?;
    let (letters, quoted) = rest.split_at(prefix);
    if !letters.ends_with('r') {
        return quoted.strip_prefix('"').map(|inside| prefix + 1 + closing_quote(inside, '"'));
    }
    let hashes = quoted.len() - quoted.trim_start_matches('#').len();
    let inside = quoted.get(hashes..)?.strip_prefix('"')?;
    let closing = format!("\"{}", "#".repeat(hashes));
    let length = inside.find(&closing).map_or(inside.len(), |at| at + closing.len());
    Some(prefix + hashes + 1 + length)
}

/// `'x'` or `'\n'`, but not the lifetime in `&'a str`.
fn character_length(rest: &str) -> Option<usize> {
    let inside = rest.strip_prefix('\'')?;
    let mut characters = inside.chars();
    let first = characters.next()?;
    let closed = first == '\\' || characters.next() == Some('\'');
    closed.then(|| 1 + closing_quote(inside, '\''))
}

/// The length up to and including the first `quote` that is not escaped by a backslash.
fn closing_quote(inside: &str, quote: char) -> usize {
    let mut hidden = false;
    for (at, found) in inside.char_indices() {
        if found == quote && !hidden {
            return at + 1;
        }
        hidden = found == '\\' && !hidden;
    }
    inside.len()
}

/// The length of a whole word, so that the `r` of `for` does not start a raw string, or else of one character.
fn code_length(rest: &str) -> usize {
    let word = rest.find(|found: char| !is_word(found)).unwrap_or(rest.len());
    let first = rest.chars().next().map_or(rest.len(), char::len_utf8);
    word.max(first)
}

/// Whether a character may be part of a name.
pub(crate) fn is_word(found: char) -> bool {
    found.is_alphanumeric() || found == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(mut rest: &str, wanted: Kind) -> Vec<&str> {
        let mut found = Vec::new();
        while !rest.is_empty() {
            let (kind, length) = next_piece(rest);
            let (piece, tail) = rest.split_at(length);
            found.extend((kind == wanted).then_some(piece));
            rest = tail;
        }
        found
    }

    #[test]
    fn strings_of_every_form_are_literals() {
        let strings = [r#""x\"y""#, r#"b"z""#, r#"r"\""#, "r#\"q\"q\"#", "br##\"w\"#\"##", r#"c"n""#];
        let text = format!("for({})", strings.join(", "));
        assert_eq!(pieces(&text, Kind::Literal), strings);
    }

    #[test]
    fn lifetimes_and_raw_names_are_code() {
        assert_eq!(pieces("fn r#for<'a>(x: &'a str) -> char { '\\'' }", Kind::Literal), ["'\\''"]);
        assert_eq!(
            pieces("match c { '{' => b'}', 'é' => 'a' }", Kind::Literal),
            ["'{'", "'}'", "'é'", "'a'"]
        );
    }

    #[test]
    fn comments_nest_and_hide_quotes() {
        let text = "a /* \" /* b */ c */ d // e \"\nf";
        assert_eq!(pieces(text, Kind::Comment), ["/* \" /* b */ c */", "// e \""]);
        assert!(pieces(text, Kind::Literal).is_empty());
    }

    #[test]
    fn unclosed_pieces_extend_to_the_end() {
        for text in ["\"abc", "r#\"abc\"", "/* abc", "'\\"] {
            let (kind, length) = next_piece(text);
            assert_ne!(kind, Kind::Code);
            assert_eq!(length, text.len());
        }
    }
}
