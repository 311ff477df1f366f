//! Cells of files that people open as spreadsheets.

/// Puts an apostrophe before a string that a spreadsheet would run as a formula.
pub fn safe_cell(text: String) -> String {
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    if is_formula { format!("'{text}") } else { text }
}
