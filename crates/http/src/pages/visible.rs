//! Ids that people tell apart by eye.

use std::borrow::Cow;

/// An id in which nothing is invisible: characters without a form, changes of the text direction, and spaces where nobody sees them stand as
/// `\u{200b}`.
pub fn visible(id: &str) -> Cow<'_, str> {
    let trimmed = id.trim_matches(' ');
    if trimmed.len() == id.len() && id.chars().all(has_form) {
        return Cow::Borrowed(id);
    }
    // Spaces at the ends are ASCII, so these are places of characters.
    let begin = id.len() - id.trim_start_matches(' ').len();
    let written = |(at, found): (usize, char)| {
        let is_inside = (begin..begin + trimmed.len()).contains(&at);
        if is_inside && has_form(found) { found.to_string() } else { found.escape_unicode().to_string() }
    };
    Cow::Owned(id.char_indices().map(written).collect())
}

/// The id in ASCII, when it has other characters than visible ones of ASCII: these may look like others. `None` for an id of those alone.
pub fn spelt(id: &str) -> Option<String> {
    let shown = visible(id);
    let is_plain = matches!(shown, Cow::Borrowed(_)) && id.is_ascii();
    let written = |found: char| {
        if found.is_ascii() { found.to_string() } else { found.escape_unicode().to_string() }
    };
    (!is_plain).then(|| shown.chars().map(written).collect())
}

/// Whether a browser shows this character in its place, and as something. The ranges are those that Unicode lets programs ignore, and the
/// spaces beyond ASCII.
fn has_form(found: char) -> bool {
    let is_ignorable = matches!(
        found,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}'
    );
    !is_ignorable && !found.is_control() && (found == ' ' || !found.is_whitespace())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_an_id_is_invisible() {
        for same in ["ben", "a b", "bеn", "かい", "ben@shop.example", ""] {
            assert!(matches!(visible(same), Cow::Borrowed(shown) if shown == same), "{same}");
        }
        for (id, shown) in [
            ("ben\u{200b}", "ben\\u{200b}"),
            (" ben", "\\u{20}ben"),
            ("b n  ", "b n\\u{20}\\u{20}"),
            ("  ", "\\u{20}\\u{20}"),
            ("a\u{202e}b\tc\u{a0}d\u{e0041}", "a\\u{202e}b\\u{9}c\\u{a0}d\\u{e0041}"),
        ] {
            assert_eq!(visible(id), shown, "{id:?}");
        }
    }

    #[test]
    fn an_id_that_may_look_like_another_is_spelt_in_ascii() {
        assert_eq!((spelt("ben@shop.example"), spelt("user 17")), (None, None));
        for (id, ascii) in [
            ("bеn", "b\\u{435}n"),
            ("ben\u{200b}", "ben\\u{200b}"),
            ("ben ", "ben\\u{20}"),
            ("ｂ", "\\u{ff42}"),
        ] {
            assert_eq!(spelt(id).as_deref(), Some(ascii), "{id:?}");
        }
    }
}
