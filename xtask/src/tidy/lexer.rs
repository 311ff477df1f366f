//! Tells code, comments and literals of a Rust file apart, without parsing it.
//!
//! A rule about code must not be woken by a word in a comment, and a rule about strings must not miss a raw one.
//! A full parser would answer more than these rules ask and cost more than all of them together.

/// What a piece of Rust text is.
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

/// Block comments nest in Rust; an unclosed one reaches to the end.
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

/// The length up to and with the first `quote` that no backslash hides.
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

/// A whole word, so that the `r` at the end of `for` is no prefix, or else one character.
fn code_length(rest: &str) -> usize {
    let word = rest.find(|found: char| !is_word(found)).unwrap_or(rest.len());
    let first = rest.chars().next().map_or(rest.len(), char::len_utf8);
    word.max(first)
}

/// Whether a character may stand inside a name.
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
    fn unclosed_pieces_reach_to_the_end() {
        for text in ["\"abc", "r#\"abc\"", "/* abc", "'\\"] {
            let (kind, length) = next_piece(text);
            assert_ne!(kind, Kind::Code);
            assert_eq!(length, text.len());
        }
    }
}
