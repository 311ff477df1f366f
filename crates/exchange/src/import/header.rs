//! Checks the header of a CSV file. It also decides which character separates the cells.

use super::Rule;
use super::kind::Columns;
use super::problems::{Problems, quoted};
use super::rows::Column;

/// The columns that a reject file has before those of its input.
pub(super) const REJECT_COLUMNS: [&str; 2] = ["line", "reason"];

/// The column of a reject file whose cells have the apostrophes of [`spreadsheet_text_of`](pointbook_domain::spreadsheet::spreadsheet_text_of()).
pub(super) const ESCAPED: &str = "escaped";

/// The last column of a reject file whose input was JSONL: the rejected line.
pub(super) const JSON_ROW: &str = "row";

/// What separates cells. A German Excel writes semicolons.
pub(super) const SEPARATORS: [u8; 3] = [b',', b';', b'\t'];

/// The header of a CSV file.
#[derive(Debug, Clone)]
pub(super) struct Header {
    pub(super) columns: Vec<Column>,
    pub(super) separator: u8,
}

/// The separator that gives the most names of known columns, or else the most names: a comma unless another one gives more.
pub(super) fn separator(line: &[u8], known: &[&str]) -> u8 {
    let line = String::from_utf8_lossy(line);
    let extra = [ESCAPED, JSON_ROW].into_iter().chain(REJECT_COLUMNS);
    let names: Vec<&str> = known.iter().copied().chain(extra).collect();
    let is_known = |cell: &&str| names.contains(&plain(cell).as_str());
    let count = |separator: u8| {
        let names = line.split(char::from(separator));
        (names.clone().filter(is_known).count(), names.count())
    };
    // The last one of several with the same number wins.
    SEPARATORS.into_iter().rev().max_by_key(|separator| count(*separator)).unwrap_or(b',')
}

/// Returns the columns of the first line in order, or all problems. The extra columns of a reject file are `None`.
pub(super) fn check(cells: &[&str], columns: Columns) -> Result<Vec<Column>, Problems> {
    let cells: Vec<&str> = cells.iter().map(|cell| cell.trim()).collect();
    let [line, reason] = REJECT_COLUMNS;
    if cells == [line, reason, JSON_ROW] {
        return Ok(vec![None, None, Some(JSON_ROW)]);
    }
    if cells == [line, reason, ESCAPED, JSON_ROW] {
        return Ok(vec![None, None, Some(ESCAPED), Some(JSON_ROW)]);
    }
    let is_of_rejects = REJECT_COLUMNS.iter().all(|name| cells.contains(name));
    let (mut problems, mut header, mut is_unknown) = (Problems::default(), Vec::new(), false);
    for cell in cells {
        match columns.known.iter().find(|known| **known == cell) {
            None if is_of_rejects && REJECT_COLUMNS.contains(&cell) => header.push(None),
            None if is_of_rejects && cell == ESCAPED && !header.contains(&Some(ESCAPED)) => {
                header.push(Some(ESCAPED));
            }
            None => {
                is_unknown = true;
                problems.add("", unknown(cell, columns.known));
            }
            Some(name) if header.contains(&Some(*name)) => problems.add(*name, Rule::FieldTwice),
            Some(name) => header.push(Some(*name)),
        }
    }
    for missing in columns.required.iter().filter(|name| !header.contains(&Some(**name))) {
        problems.add(*missing, Rule::Required);
    }
    if is_unknown {
        problems.add("", Rule::KnownColumns { names: columns.known.join(", ") });
    }
    if problems.is_empty() { Ok(header) } else { Err(problems) }
}

fn unknown(cell: &str, known: &[&str]) -> Rule {
    let name = quoted(cell);
    match known.iter().find(|known| plain(known) == plain(cell)) {
        Some(similar) => Rule::MisspeltColumn { name, known: quoted(similar) },
        None => Rule::UnknownColumn { name },
    }
}

/// Normalizes a name to find the column that was probably meant: `Regular Price` becomes `regular_price`.
fn plain(name: &str) -> String {
    let name = name.trim().trim_matches('"').to_ascii_lowercase();
    name.replace([' ', '-'], "_")
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: Columns =
        Columns { known: &["sku", "title", "regular_price"], required: &["sku", "title", "regular_price"] };

    fn check(cells: &[&str]) -> Result<Vec<Column>, String> {
        super::check(cells, COLUMNS).map_err(|problems| problems.to_string())
    }

    #[test]
    fn the_names_of_the_columns_decide_about_the_separator() {
        for (line, expected) in [
            ("sku,title,regular_price", b','),
            ("sku;title;regular_price", b';'),
            ("\"SKU\";\"Regular Price\";colour", b';'),
            ("sku\ttitle", b'\t'),
            ("line;reason;row", b';'),
            ("sku", b','),
            ("sku|title", b','),
            ("Artikel;Titel;Preis, netto", b';'),
            ("sku,\"title;x\"", b','),
            ("", b','),
        ] {
            assert_eq!(separator(line.as_bytes(), COLUMNS.known), expected, "{line}");
        }
    }

    #[test]
    fn unknown_column_gets_suggestion_and_known_columns_are_listed_once() {
        assert_eq!(
            check(&["SKU", "title", "Regular Price", "colour"]).unwrap_err(),
            "unknown column \"SKU\" (did you mean \"sku\"?); \
             unknown column \"Regular Price\" (did you mean \"regular_price\"?); \
             unknown column \"colour\"; sku: is required; regular_price: is required; \
             the known columns are sku, title, regular_price"
        );
    }

    #[test]
    fn columns_of_reject_file_are_ignored_only_together() {
        let good = [None, None, Some("sku"), Some("title"), Some("regular_price")];
        assert_eq!(check(&["line", "reason", "sku", "title", "regular_price"]), Ok(good.into()));
        assert_eq!(check(&["line", "reason", "row"]), Ok(vec![None, None, Some("row")]));
        let alone = check(&["line", "sku", "title", "regular_price"]).unwrap_err();
        assert!(alone.starts_with("unknown column \"line\";"), "{alone}");
    }
}
