//! Texts in CSV files for spreadsheets.

/// The text, with an apostrophe before one that a spreadsheet would run as a formula.
pub fn spreadsheet_text(text: String) -> String {
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    if is_formula { format!("'{text}") } else { text }
}
