//! Makes text of a server safe to show: without tokens that it echoes, and without orders to a terminal.

use crate::address::escaped;

/// The longest text that is shown, in characters.
const TEXT_CHARS: usize = 500;

const INSTEAD: &str = "...";

/// The shortest beginning of a token that counts as a part of it, in characters.
const PART_CHARS: usize = 3;

/// Tokens, in every way that a response may write them; the longest come first, as one may hold another.
#[derive(Debug, Default)]
pub(crate) struct Secrets(Vec<String>);

impl Secrets {
    /// Keeps these tokens, which are visible ASCII.
    pub(crate) fn new<'t>(tokens: impl Iterator<Item = &'t str>) -> Self {
        let in_json = |token: &str| token.replace('\\', "\\\\").replace('"', "\\\"");
        let written = |token: &str| [token.to_owned(), in_json(token), escaped(token)];
        let mut texts: Vec<String> = tokens.flat_map(written).collect();
        texts.sort_by_key(|text| std::cmp::Reverse(text.len()));
        Self(texts)
    }

    pub(crate) fn cleaned(&self, text: &str) -> String {
        let clean = self.0.iter().fold(text.to_owned(), |clean, secret| clean.replace(secret, INSTEAD));
        let mut pieces: Vec<&str> = clean.split('…').collect();
        if let [cut @ .., _] = pieces.as_mut_slice() {
            for piece in cut {
                *piece = self.without_part(piece);
            }
        }
        cut_line(&pieces.join("…"), TEXT_CHARS)
    }

    /// A text that was cut, without the beginning of a secret at its end.
    fn without_part<'t>(&self, text: &'t str) -> &'t str {
        let part = |secret: &String| {
            (PART_CHARS..secret.len()).rev().find_map(|length| text.strip_suffix(secret.get(..length)?))
        };
        self.0.iter().find_map(part).unwrap_or(text)
    }
}

/// A text on one line, with a blank in place of everything that a terminal would not show.
pub fn one_line(text: &str) -> String {
    text.chars().map(|found| if is_visible(found) { found } else { ' ' }).collect()
}

/// A text on one line, cut where it is longer than so many characters.
pub(crate) fn cut_line(text: &str, chars: usize) -> String {
    let line = one_line(text);
    match line.char_indices().nth(chars) {
        Some((at, _)) => format!("{}…", line.get(..at).unwrap_or_default()),
        None => line,
    }
}

/// Whether a terminal shows this where it stands. Controls are orders to it, and so are changes of direction.
fn is_visible(found: char) -> bool {
    let turns = matches!(found, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    !found.is_control() && !turns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_token_is_shown_however_it_is_written() {
        let secrets = Secrets::new(["ab\"c/d-secret", "ab"].into_iter());
        for text in
            ["Bearer ab\"c/d-secret!", r#"{"x":"ab\"c/d-secret"}"#, "x=ab%22c%2Fd-secret&", "ab\"c/d-se…"]
        {
            let clean = secrets.cleaned(text);
            assert!(!clean.contains("ab") && !clean.contains("sec"), "{text}: {clean}");
        }
        assert_eq!(secrets.cleaned("a long text…"), "a long text…");
    }

    #[test]
    fn orders_to_a_terminal_are_blanks() {
        assert_eq!(Secrets::default().cleaned("a\u{1b}]0;b\u{9b}c\u{202e}d\n"), "a ]0;b c d ");
    }
}
