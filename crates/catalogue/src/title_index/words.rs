//! Where titles and parts are cut into words.
//!
//! Whether there is a border depends on nothing but the two characters around it. So a part is cut
//! where the titles that hold it are cut, and only its first and last word may be incomplete.

/// Stands around each word in the dictionary and behind each title; no UTF-8 text holds it.
pub(super) const EDGE: u8 = 0xFF;

/// Of so many pairs of neighbours without spaces one is a border: words of about four characters.
const PAIRS_PER_BORDER: u32 = 4;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Of no word: spaces and punctuation.
    Separator,
    /// Letters and digits of scripts with spaces.
    Spaced,
    Hiragana,
    Katakana,
    /// Of scripts that write whole sentences without spaces.
    Unspaced,
}

/// The words of a text, in order; text between them is only separators.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    stretches(text).map(|(_, word)| word)
}

/// A word of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Piece<'t> {
    pub(super) text: &'t str,
    /// Whether the part has more text before it, so that a word of a title must begin with it.
    pub(super) begins_word: bool,
    /// Whether the part has more text behind it, so that a word of a title must end with it.
    pub(super) ends_word: bool,
}

impl Piece<'_> {
    /// Whether it is the whole part, so that a word may hold it anywhere.
    pub(super) fn is_open(&self) -> bool {
        !self.begins_word && !self.ends_word
    }
}

/// The words of a part, in order.
pub(super) fn pieces(part: &str) -> impl Iterator<Item = Piece<'_>> {
    stretches(part).map(|(start, text)| Piece {
        text,
        begins_word: start > 0,
        ends_word: start + text.len() < part.len(),
    })
}

/// Words with their offsets.
fn stretches(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut rest = text;
    let stretches = std::iter::from_fn(move || {
        let (kind, end) = first_stretch(rest)?;
        let start = text.len() - rest.len();
        let (stretch, behind) = rest.split_at_checked(end)?;
        rest = behind;
        Some((kind, start, stretch))
    });
    stretches.filter(|(kind, ..)| *kind != Kind::Separator).map(|(_, start, stretch)| (start, stretch))
}

/// What a text begins with, and where the first border is, or its end.
fn first_stretch(text: &str) -> Option<(Kind, usize)> {
    let mut chars = text.char_indices();
    let (_, mut before) = chars.next()?;
    let kind = Kind::of(before);
    let border = chars.find(|&(_, next)| {
        let is_border = Kind::of(next) != kind || kind == Kind::Unspaced && is_cut_between(before, next);
        before = next;
        is_border
    });
    Some((kind, border.map_or(text.len(), |(at, _)| at)))
}

/// Cuts long runs into words, the same run always at the same places.
fn is_cut_between(before: char, next: char) -> bool {
    let mixed = u32::from(before).wrapping_mul(0x9E37_79B1).rotate_left(15) ^ u32::from(next);
    (mixed.wrapping_mul(0x85EB_CA77) >> 16).is_multiple_of(PAIRS_PER_BORDER)
}

impl Kind {
    /// Any table gives right answers; this one gives words that are short and repeat.
    fn of(c: char) -> Self {
        match c {
            'a'..='z' | '0'..='9' | 'A'..='Z' => Self::Spaced,
            '\0'..='\u{BF}' => Self::Separator,
            '\u{3040}'..='\u{309F}' => Self::Hiragana,
            '\u{30A1}'..='\u{30FA}' | '\u{30FC}'..='\u{30FF}' => Self::Katakana,
            _ if is_punctuation(c) => Self::Separator,
            _ if is_of_unspaced_script(c) => Self::Unspaced,
            _ => Self::Spaced,
        }
    }
}

/// Of many scripts, of Chinese and Japanese, and the dot between katakana.
fn is_punctuation(c: char) -> bool {
    matches!(c, '\u{2000}'..='\u{206F}' | '\u{3000}'..='\u{3004}' | '\u{3008}'..='\u{303F}' | '\u{30FB}')
}

/// Thai and Lao, Burmese, Khmer, and the ideographs.
fn is_of_unspaced_script(c: char) -> bool {
    matches!(
        c,
        '\u{E00}'..='\u{EFF}'
            | '\u{1000}'..='\u{109F}'
            | '\u{1780}'..='\u{17FF}'
            | '\u{2E80}'..='\u{2FFF}'
            | '\u{3005}'..='\u{3007}'
            | '\u{3400}'..='\u{9FFF}'
            | '\u{F900}'..='\u{FAFF}'
            | '\u{20000}'..='\u{3FFFF}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> Vec<&str> {
        words(text).collect()
    }

    #[test]
    fn spaces_punctuation_and_scripts_part_words() {
        assert_eq!(cut(" t-shirt  (blå)\n40mm "), ["t", "shirt", "blå", "40mm"]);
        assert_eq!(cut("lvクラシック・スニーカーの"), ["lv", "クラシック", "スニーカー", "の"]);
        assert!(cut("").is_empty() && cut(" - ").is_empty());
    }

    #[test]
    fn a_long_run_without_spaces_is_cut_into_short_words() {
        let run: String = ('\u{4E00}'..='\u{5E00}').collect();
        let words = cut(&run);
        assert_eq!(words.concat(), run);
        let average = 0x1001 / words.len();
        assert!((3..=5).contains(&average), "{average}");
    }

    #[test]
    fn a_part_of_a_run_is_cut_at_the_same_places() {
        let run = "手机保护壳防摔透明新款";
        let whole = cut(run).join("|");
        let starts = run.char_indices().map(|(at, _)| at);
        for start in starts {
            assert!(whole.ends_with(&cut(&run[start..]).join("|")), "{start}");
        }
    }

    #[test]
    fn only_the_outer_pieces_of_a_part_may_be_incomplete() {
        let edges = |part| pieces(part).map(|piece| (piece.begins_word, piece.ends_word)).collect::<Vec<_>>();
        assert_eq!(edges("a b c"), [(false, true), (true, true), (true, false)]);
        assert_eq!(edges(" a"), [(true, false)]);
        assert_eq!(edges("a"), [(false, false)]);
    }
}
