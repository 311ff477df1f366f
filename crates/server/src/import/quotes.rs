//! Quotes in CSV: the parser takes whatever follows a closing quote as more of the cell, so a title
//! such as `"12" pan"` would be stored as something that nobody wrote.

use super::problems::Problems;

/// Refuses a record in which a cell goes on after its closing quote. Give it without its line end.
pub(super) fn check_quotes(record: &[u8]) -> Result<(), Problems> {
    let mut rest = record;
    for cell in 1_u64.. {
        let after = match rest.strip_prefix(b"\"") {
            Some(quoted) => after_quoted(quoted),
            None => rest.get(memchr::memchr(b',', rest).unwrap_or(rest.len())..).unwrap_or_default(),
        };
        match after {
            [] => break,
            [b',', next @ ..] => rest = next,
            _ => {
                let rule = "goes on after its closing quote; a quote inside a quoted cell is written twice";
                return Err(Problems::one("", format!("cell {cell} {rule}")));
            }
        }
    }
    Ok(())
}

/// What follows the closing quote; nothing where there is none.
fn after_quoted(mut text: &[u8]) -> &[u8] {
    while let Some(quote) = memchr::memchr(b'"', text) {
        let after = text.get(quote + 1..).unwrap_or_default();
        match after {
            [b'"', next @ ..] => text = next,
            _ => return after,
        }
    }
    &[]
}
