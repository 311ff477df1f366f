//! Texts in CSV files that people open in a spreadsheet.

/// What a spreadsheet takes for the beginning of a formula. Some take the wide characters of Japanese keyboards for it, too.
const FORMULA: [char; 10] = ['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠'];

/// Where another cell begins in a spreadsheet that splits lines by another separator than that of the file. A comma is such a place,
/// too, unless it separates the cells of the file: then a cell with a comma has quotes.
const SEPARATORS: [char; 4] = [';', '\t', '\n', '\r'];

/// A text for a file with commas between its cells, with an apostrophe before each place where a spreadsheet would begin a formula.
pub fn spreadsheet_text(text: &str) -> String {
    spreadsheet_text_of(text, b',')
}

/// As [`spreadsheet_text`], for a file with another separator. [`exact_text`] takes the apostrophes away again.
pub fn spreadsheet_text_of(text: &str, separator: u8) -> String {
    let (mut safe, mut begins) = (String::new(), true);
    for (at, character) in text.char_indices() {
        let is_formula = begins && text.get(at..).is_some_and(is_formula);
        if is_formula {
            safe.push('\'');
        }
        safe.push(character);
        begins = is_begun(character, separator) || begins && character == '"';
    }
    safe
}

/// The text that [`spreadsheet_text_of`] was given.
pub fn exact_text(safe: &str, separator: u8) -> String {
    let (mut text, mut begins) = (String::with_capacity(safe.len()), true);
    for (at, character) in safe.char_indices() {
        let is_mark = character == '\'' && begins && safe.get(at + 1..).is_some_and(is_formula);
        if !is_mark {
            text.push(character);
        }
        // Right after an apostrophe, the character was in the text.
        begins = is_begun(character, separator) || begins && character == '"';
    }
    text
}

/// Whether another cell may begin after this character of a cell.
fn is_begun(character: char, separator: u8) -> bool {
    SEPARATORS.contains(&character) || character == ',' && separator != b','
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
            assert_eq!(exact_text(safe, b','), text, "{safe:?}");
        }
    }

    #[test]
    fn a_comma_begins_a_cell_only_in_a_file_with_another_separator() {
        for (separator, safe) in [(b',', "10,- Euro"), (b';', "10,'- Euro"), (b'\t', "10,'- Euro")] {
            assert_eq!(spreadsheet_text_of("10,- Euro", separator), safe);
            assert_eq!(exact_text(safe, separator), "10,- Euro");
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
            for separator in *b",;" {
                assert_eq!(exact_text(&spreadsheet_text_of(&text, separator), separator), text);
            }
        }
    }
}
