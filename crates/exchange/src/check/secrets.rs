//! Makes strings of a server safe to print: removes tokens that the server echoes, and terminal control sequences.

use crate::check::server_url::escaped;

/// The maximum length of a printed string, in characters.
const TEXT_CHARS: usize = 500;

const INSTEAD: &str = "...";

/// The shortest prefix of a token that is removed from the end of a cut string, in characters.
const PART_CHARS: usize = 3;

/// Tokens, in every encoding that a response may use. Sorted from long to short, because one may contain another.
#[derive(Debug, Default)]
pub(crate) struct Secrets(Vec<String>);

impl Secrets {
    /// The tokens must be visible ASCII.
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

    /// Removes the prefix of a secret from the end of a string that was cut.
    fn without_part<'t>(&self, text: &'t str) -> &'t str {
        let part = |secret: &String| {
            (PART_CHARS..secret.len()).rev().find_map(|length| text.strip_suffix(secret.get(..length)?))
        };
        self.0.iter().find_map(part).unwrap_or(text)
    }
}

/// Puts a string on one line: replaces control characters, changes of text direction and invisible characters by spaces.
pub fn one_line(text: &str) -> String {
    text.chars().map(|found| if is_visible(found) { found } else { ' ' }).collect()
}

/// Puts a string on one line and cuts it after `chars` characters.
pub(crate) fn cut_line(text: &str, chars: usize) -> String {
    let line = one_line(text);
    match line.char_indices().nth(chars) {
        Some((at, _)) => format!("{}…", line.get(..at).unwrap_or_default()),
        None => line,
    }
}

/// Whether a terminal shows this character in its place. Control characters and changes of text direction do more, and a
/// character without width makes two texts look the same. Some scripts need the two joiners.
fn is_visible(found: char) -> bool {
    let has_no_place = matches!(
        found,
        '\u{ad}' | '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
    );
    !found.is_control() && !has_no_place
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_removed_in_every_encoding() {
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
    fn terminal_control_characters_become_spaces() {
        assert_eq!(Secrets::default().cleaned("a\u{1b}]0;b\u{9b}c\u{202e}d\n"), "a ]0;b c d ");
        assert_eq!(one_line("be\u{200b}n\u{feff}\u{2066}\u{61c}"), "be n   ");
    }
}
