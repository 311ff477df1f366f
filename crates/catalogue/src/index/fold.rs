//! Folding of titles: what a search compares.

use caseless::Caseless;
use unicode_normalization::UnicodeNormalization;

/// Folds a title or a search part: NFKC(full case folding(NFKD without U+0300 to U+036F)).
///
/// So case, width and accents do not matter, while marks that make another letter, such as the
/// Japanese voicing marks, do. Line breaks and outer spaces stay.
pub fn fold_title(title: &str) -> String {
    if title.is_ascii() {
        return title.to_ascii_lowercase();
    }
    title.nfkd().filter(|&mark| !is_accent(mark)).default_case_fold().nfkc().collect()
}

fn is_accent(mark: char) -> bool {
    matches!(mark, '\u{300}'..='\u{36F}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finds(part: &str, title: &str) -> bool {
        fold_title(title).contains(&fold_title(part))
    }

    #[test]
    fn case_and_accents_do_not_matter() {
        assert!(finds("STRASSE", "Straße 5"));
        assert!(finds("cafe", "Café"));
        assert!(finds("CAFE\u{301}", "café"));
        assert!(finds("ΣΊΣΥΦΟΣ", "σίσυφος"));
        assert!(finds("office", "O\u{FB03}ce"));
    }

    #[test]
    fn a_voiced_kana_is_another_letter() {
        assert!(!finds("か", "が"));
        assert!(!finds("か", "か\u{3099}"));
        assert!(finds("が", "か\u{3099}"));
        assert!(finds("ガイド", "ｶﾞｲﾄﾞ"));
    }

    #[test]
    fn a_dotted_capital_i_is_an_i_and_a_dotless_one_is_not() {
        assert!(finds("istanbul", "İSTANBUL"));
        assert!(!finds("i", "ı"));
    }

    #[test]
    fn spaces_and_line_breaks_stay() {
        assert_eq!(fold_title(" A\nB "), " a\nb ");
        assert_eq!(fold_title(" Ä\nB "), " a\nb ");
    }

    #[test]
    fn ascii_folds_as_the_rule_says() {
        let ascii: String = (0..=127).map(char::from).collect();
        let ruled: String = ascii.nfkd().default_case_fold().nfkc().collect();
        assert_eq!(fold_title(&ascii), ruled);
    }
}
