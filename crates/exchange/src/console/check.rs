//! What can be said of a file before its rows are read.

use sha2::{Digest, Sha256};

use crate::console::paths::max_bytes;
use crate::import::Kind;

/// Why a whole file is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    Missing,
    Empty,
    TooLarge,
    /// A file with a tree is larger than it may be.
    TreeTooLarge,
    Compressed,
}

impl Fault {
    /// The id of its text.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Missing => "import-no-file",
            Self::Empty => "import-empty-file",
            Self::TooLarge => "import-too-large",
            Self::TreeTooLarge => "import-tree-too-large",
            Self::Compressed => "import-compressed",
        }
    }
}

const GZIP: &[u8] = b"\x1f\x8b";

/// A file that can be read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Checked {
    /// The number of its last line.
    pub(crate) lines: u64,
    pub(crate) digest: [u8; 32],
}

/// Refuses a file that is too large.
pub(crate) fn check_size(kind: Kind, file: &[u8]) -> Result<(), Fault> {
    let fault = if kind == Kind::Categories { Fault::TreeTooLarge } else { Fault::TooLarge };
    if file.len() > max_bytes(kind) { Err(fault) } else { Ok(()) }
}

/// Checks a file as a whole. A file of the largest size takes some milliseconds.
pub(crate) fn check(kind: Kind, file: &[u8]) -> Result<Checked, Fault> {
    let text = file.trim_ascii();
    if text.is_empty() || text == b"\xef\xbb\xbf" {
        return Err(Fault::Empty);
    }
    check_size(kind, file)?;
    if file.starts_with(GZIP) {
        return Err(Fault::Compressed);
    }
    Ok(Checked { lines: 1 + line_ends(text), digest: Sha256::digest(file).into() })
}

fn line_ends(text: &[u8]) -> u64 {
    let count = text.split(|byte| *byte == b'\n').count().saturating_sub(1);
    u64::try_from(count).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::console::paths::MAX_FILE_BYTES;

    #[test]
    fn a_file_has_content_of_a_bounded_size() {
        let fault = |file: &[u8]| check(Kind::Products, file).unwrap_err();
        assert_eq!(fault(b""), Fault::Empty);
        assert_eq!(fault(b" \r\n"), Fault::Empty);
        assert_eq!(fault(b"\xef\xbb\xbf\n"), Fault::Empty);
        assert_eq!(fault(b"\x1f\x8brest"), Fault::Compressed);
        assert_eq!(fault(&vec![b'x'; MAX_FILE_BYTES + 1]), Fault::TooLarge);
        assert!(check(Kind::Products, &vec![b'x'; MAX_FILE_BYTES]).is_ok());
        let tree = |bytes| check(Kind::Categories, &vec![b'x'; bytes]);
        assert_eq!((tree(1 << 20).is_ok(), tree((1 << 20) + 1)), (true, Err(Fault::TreeTooLarge)));
    }

    #[test]
    fn the_lines_are_those_with_text() {
        let lines = |file: &str| check(Kind::Users, file.as_bytes()).unwrap().lines;
        assert_eq!((lines("a"), lines("a\n"), lines("a\r\nb\n\n"), lines("\u{feff}a\nb")), (1, 1, 2, 2));
    }
}
