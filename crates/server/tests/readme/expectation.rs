//! Compares output with the output in a document.

use super::document::Block;

/// A mark for any omitted text, including line ends.
const LEFT_OUT: char = '…';

/// Headers whose values differ in every response.
const VARYING_HEADERS: [&str; 2] = ["date: ", "x-request-id: "];

/// Returns the difference between a block and the output, if any. In JSON, line breaks do not matter.
pub(crate) fn mismatch(expected: &Block<'_>, printed: &str) -> Option<String> {
    let (expected, printed) = match expected.language {
        "json" => (joined(expected.text), joined(printed)),
        _ => (expected.text.to_owned(), printed.to_owned()),
    };
    let (expected, printed) = (normalised(&expected), normalised(&printed));
    let missing = missing_piece(&expected, &printed)?;
    Some(format!("this was not printed, or not in its place:\n{missing}\nprinted was:\n{printed}"))
}

fn joined(text: &str) -> String {
    text.lines().map(str::trim_start).collect()
}

/// The first part between two marks that the output does not have in its place.
fn missing_piece<'e>(expected: &'e str, printed: &str) -> Option<&'e str> {
    let pieces: Vec<&str> = expected.split(LEFT_OUT).map(|piece| piece.trim_matches('\n')).collect();
    let mut rest = printed.trim_matches('\n');
    let last = pieces.len() - 1;
    for (place, &piece) in pieces.iter().enumerate() {
        let found = match (place == 0, place == last) {
            (true, true) => (rest == piece).then_some(0),
            (true, false) => rest.starts_with(piece).then_some(0),
            (false, true) => rest.ends_with(piece).then(|| rest.len() - piece.len()),
            (false, false) => rest.find(piece),
        };
        match found {
            Some(at) => rest = &rest[at + piece.len()..],
            None => return Some(piece),
        }
    }
    None
}

/// Replaces what varies: days and varying headers. A command says how long it took only when it was slow, so such a line does not count.
fn normalised(text: &str) -> String {
    let text = text.replace('\r', "");
    let lines = text.lines().filter(|line| !(line.starts_with("took ") && line.ends_with(" s")));
    lines.map(normalised_line).collect::<Vec<_>>().join("\n")
}

fn normalised_line(line: &str) -> String {
    if let Some(header) = VARYING_HEADERS.iter().find(|header| line.starts_with(**header)) {
        return format!("{header}(varies)");
    }
    without_days(line)
}

/// Digits become `D` in `YYYY-MM-DD`.
fn without_days(line: &str) -> String {
    const FORM: &[u8; 10] = b"DDDD-DD-DD";
    let mut bytes = line.as_bytes().to_vec();
    for from in 0..bytes.len().saturating_sub(FORM.len() - 1) {
        let place = &mut bytes[from..from + FORM.len()];
        let fits =
            |(&byte, &form): (&u8, &u8)| if form == b'D' { byte.is_ascii_digit() } else { byte == form };
        if place.iter().zip(FORM).all(fits) {
            place.copy_from_slice(FORM);
        }
    }
    String::from_utf8(bytes).unwrap()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fits(language: &str, text: &str, printed: &str) -> bool {
        mismatch(&Block { section: "", language, line: 1, text, follows: true }, printed).is_none()
    }

    #[test]
    fn omitted_parts_match_anything_and_the_rest_must_match() {
        assert!(fits("text", "a\n…\nd e", "a\nb\nc\nd e\n"));
        assert!(fits("text", "…b…", "abc"));
        assert!(!fits("text", "a\n…\nd", "a\nb\nc\nd e"));
        assert!(!fits("text", "b…", "abc"));
        assert!(!fits("text", "a…c…b…", "abc"));
        assert!(!fits("text", "a", "ab"));
        assert!(!fits("text", "…ab…b", "ab"));
    }

    #[test]
    fn only_json_may_have_other_line_breaks() {
        assert!(fits("json", "{\"a\":1,\n  \"b\":2}", "{\"a\":1,\"b\":2}"));
        assert!(!fits("text", "a\nb", "ab"));
    }

    #[test]
    fn only_days_and_header_values_may_vary() {
        assert!(fits("text", "date: x\r\non 2026-11-18T", "date: y\non 2031-01-02T"));
        assert!(!fits("text", "etag: x", "etag: y"));
        assert!(!fits("text", "T08:00:00", "T08:00:01"));
        assert!(fits("text", "imported\ndone", "imported\ntook 12.3 s\ndone"));
    }
}
