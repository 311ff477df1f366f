//! Upper and lower case beyond ASCII, where the databases differ.

use crate::schema::Cell;

/// The most letters of a search whose other case is found, too. Their number changes the statement, and stores keep statements.
const MAX_LETTERS: usize = 16;

/// The part, and then those of its letters beyond ASCII whose case is ignored: each in upper and in lower case. In the part, ASCII letters and
/// these are in lower case, and all others as they were typed.
pub(super) fn in_any_case(part: &str) -> Vec<Cell> {
    let lows = part.chars().map(lower);
    let mut letters: Vec<(char, char)> = lows.filter_map(|low| Some((upper(low)?, low))).collect();
    letters.sort_unstable();
    letters.dedup();
    letters.truncate(MAX_LETTERS);
    let is_lowered = |letter: char| letter.is_ascii() || letters.iter().any(|(high, _)| *high == letter);
    let part = part
        .chars()
        .map(|letter| if is_lowered(letter) { lower(letter) } else { letter })
        .collect::<String>();
    let letters = letters.into_iter().flat_map(|(high, low)| [high.to_string(), low.to_string()]);
    std::iter::once(part).chain(letters).map(|text| Cell::Text(text.into())).collect()
}

/// The same letter where its lower case is several characters.
fn lower(letter: char) -> char {
    only(letter.to_lowercase()).unwrap_or(letter)
}

/// The upper case of a letter beyond ASCII that has one.
fn upper(low: char) -> Option<char> {
    let high = only(low.to_uppercase()).filter(|high| *high != low && lower(*high) == low)?;
    (!low.is_ascii() && !high.is_ascii()).then_some(high)
}

fn only(mut letters: impl ExactSizeIterator<Item = char>) -> Option<char> {
    if letters.len() == 1 { letters.next() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(part: &str) -> String {
        let cells = in_any_case(part).into_iter();
        let text = |cell| if let Cell::Text(text) = cell { text.to_string() } else { panic!("{cell:?}") };
        cells.map(text).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn letters_beyond_ascii_have_both_cases() {
        for (part, expected) in [
            ("Ben", "ben"),
            ("MÜLLER", "müller Ü ü"),
            ("ёлка ЁЛКА", "ёлка ёлка Ё ё А а К к Л л"),
            ("ß", "ß"),
            ("İı", "İı"),
            ("かい", "かい"),
            // Their lower case has another upper case.
            ("\u{1e9e}\u{212a}", "\u{1e9e}\u{212a}"),
        ] {
            assert_eq!(texts(part), expected);
        }
        let many: String = ('а'..='я').collect();
        assert_eq!(in_any_case(&many).len(), 1 + 2 * MAX_LETTERS);
        let typed: String = ('А'..='Я').collect();
        let found = texts(&typed);
        assert!(
            found.starts_with("абв") && found.contains("ЮЯ "),
            "the rest is found as it was typed: {found}"
        );
    }
}
