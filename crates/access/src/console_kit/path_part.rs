//! Ids as parts of paths.

use pointbook_http::query_string::{decode_segment, encode_into};

/// Stands before ids that browsers would take for a step in the path, and before those that begin with it.
const MARK: char = '~';

/// An id as a part of a path. Browsers resolve `.` and `..` even when they are percent-encoded, so these ids get a mark.
pub fn segment(id: &str) -> String {
    let mut encoded = Vec::with_capacity(id.len());
    if matches!(id, "." | "..") || id.starts_with(MARK) {
        encoded.push(b'~');
    }
    encode_into(id.as_bytes(), &mut encoded);
    encoded.into_iter().map(char::from).collect()
}

/// The id of a part of a path. `None` when it is no text, or has U+0000, which no database keeps.
pub fn id_of_segment(raw: &str) -> Option<String> {
    let decoded = decode_segment(raw)?;
    let id = decoded.strip_prefix(MARK).unwrap_or(&decoded);
    (!id.contains('\0')).then(|| id.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_id_is_read_as_it_was_written_and_none_is_a_step_in_the_path() {
        for id in [".", "..", "...", "~", "~.", "a/b", "%2e", "ü?#", "a b", "new"] {
            let written = segment(id);
            assert_eq!(id_of_segment(&written).as_deref(), Some(id), "{written}");
            let plain = written.to_lowercase().replace("%2e", ".");
            assert!(!matches!(&*plain, "." | "..") && !written.contains('/'), "{written}");
        }
        assert_eq!(id_of_segment("%00"), None);
        assert_eq!(id_of_segment("%ff"), None);
    }
}
