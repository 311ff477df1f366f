//! How wide a text is about. The server does not know the font of the reader, so the estimates are generous.

use std::borrow::Cow;

/// The `font-size` of texts in charts, in units of the picture. `charts.css` has the same number.
pub(crate) const FONT_SIZE: f64 = 13.0;

/// The width of most characters, in parts of the font size.
const USUAL: f64 = 0.6;

/// The first of the Chinese, Japanese and Korean characters, which are as wide as high. Emoji are above them.
const FIRST_WIDE: char = '\u{2e80}';

pub(crate) fn text_width(text: &str) -> f64 {
    text.chars().map(char_width).sum()
}

/// The text, or as much of its beginning as fits, with an ellipsis.
pub(crate) fn fit(text: &str, width: f64) -> Cow<'_, str> {
    if text_width(text) <= width {
        return Cow::Borrowed(text);
    }
    let mut left = width - char_width('…');
    let fits = |found: &char| {
        left -= char_width(*found);
        left >= 0.0
    };
    let start: String = text.chars().take_while(fits).collect();
    Cow::Owned(format!("{}…", start.trim_end()))
}

fn char_width(found: char) -> f64 {
    FONT_SIZE * if found < FIRST_WIDE { USUAL } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_that_fits_stays() {
        assert_eq!(fit("Mugs", 40.0), "Mugs");
        assert_eq!(fit("", 0.0), "");
    }

    #[test]
    fn text_that_is_too_wide_ends_with_an_ellipsis() {
        assert_eq!(fit("Mugs and cups", 50.0), "Mugs…");
        assert_eq!(fit("ポイントの合計", 60.0), "ポイント…");
        assert_eq!(fit("Mugs", 0.0), "…");
    }
}
