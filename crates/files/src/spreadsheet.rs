//! Texts in CSV files that people open in a spreadsheet.

/// What a spreadsheet takes for the beginning of a formula. Some take the wide characters of Japanese keyboards for it, too.
const FORMULA: [char; 10] = ['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠'];

/// Where another cell begins in a spreadsheet that splits lines by another separator than that of the file.
const SEPARATORS: [char; 5] = [',', ';', '\t', '\n', '\r'];

/// The text, with an apostrophe before each place where a spreadsheet would begin a formula. [`exact_text`] takes the apostrophes away
/// again.
pub fn spreadsheet_text(text: &str) -> String {
    let (mut safe, mut begins) = (String::new(), true);
    for (at, character) in text.char_indices() {
        let is_formula = begins && text.get(at..).is_some_and(is_formula);
        if is_formula {
            safe.push('\'');
        }
        safe.push(character);
        begins = SEPARATORS.contains(&character) || begins && character == '"';
    }
    safe
}

/// The text that [`spreadsheet_text`] was given.
pub fn exact_text(safe: &str) -> String {
    let (mut text, mut begins) = (String::with_capacity(safe.len()), true);
    for (at, character) in safe.char_indices() {
        let is_mark = character == '\'' && begins && safe.get(at + 1..).is_some_and(is_formula);
        if !is_mark {
            text.push(character);
        }
        // Right after an apostrophe, the character was in the text.
        begins = SEPARATORS.contains(&character) || begins && character == '"';
    }
    text
}

/// Whether a cell that begins so is a formula, or would be without the apostrophes before it.
fn is_formula(rest: &str) -> bool {
    rest.trim_start_matches('\'').starts_with(FORMULA)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cell_begins_a_formula_in_any_spreadsheet() {
        for (text, safe) in [
            ("=1+1", "'=1+1"),
            ("-5", "'-5"),
            ("\tx", "'\tx"),
            ("＝1", "'＝1"),
            ("＋1", "'＋1"),
            ("－1", "'－1"),
            ("＠a", "'＠a"),
            ("a;=1", "a;'=1"),
            ("a;;＝1;b", "a;;'＝1;b"),
            ("a,=1", "a,'=1"),
            ("a\n@b", "a\n'@b"),
            ("\"=1\"", "\"'=1\""),
            ("a;\"\"=1", "a;\"\"'=1"),
            ("'=1", "''=1"),
            ("a=1; b", "a=1; b"),
            ("Ann's -5", "Ann's -5"),
            ("'quoted'", "'quoted'"),
            ("", ""),
        ] {
            assert_eq!(spreadsheet_text(text), safe, "{text:?}");
            assert_eq!(exact_text(safe), text, "{safe:?}");
        }
    }

    #[test]
    fn every_text_comes_back() {
        let characters = ['=', '\'', ';', ',', '"', 'a'];
        let mut texts = vec![String::new()];
        for _ in 0..5 {
            let longer: Vec<String> = texts
                .iter()
                .flat_map(|text| characters.map(|character| format!("{text}{character}")))
                .collect();
            texts.extend(longer);
        }
        for text in texts {
            assert_eq!(exact_text(&spreadsheet_text(&text)), text);
        }
    }
}
