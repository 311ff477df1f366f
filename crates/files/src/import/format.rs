//! The forms that input and output have, told by a file's name or by how the input begins.

use std::path::Path;

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// A header line, then one row per record (RFC 4180).
    Csv,
    /// One JSON object per line.
    Jsonl,
    /// One JSON array: the category tree.
    Json,
}

impl Format {
    /// What a file's name says; `.gz` at its end is passed over.
    pub fn of_path(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?.to_ascii_lowercase();
        let name = name.strip_suffix(".gz").unwrap_or(&name);
        match name.rsplit_once('.')?.1 {
            "csv" => Some(Self::Csv),
            "jsonl" | "ndjson" => Some(Self::Jsonl),
            "json" => Some(Self::Json),
            _ => None,
        }
    }

    /// What the first bytes of the text look like; none when there are none.
    pub(super) fn sniff(start: &[u8]) -> Option<Self> {
        match start.iter().find(|byte| !byte.is_ascii_whitespace())? {
            b'{' => Some(Self::Jsonl),
            b'[' => Some(Self::Json),
            _ => Some(Self::Csv),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_tells_the_format() {
        let of = |name: &str| Format::of_path(Path::new(name));
        assert_eq!(of("a.b/users.csv"), Some(Format::Csv));
        assert_eq!(of("USERS.CSV.GZ"), Some(Format::Csv));
        assert_eq!((of("p.jsonl.gz"), of("p.ndjson")), (Some(Format::Jsonl), Some(Format::Jsonl)));
        assert_eq!(
            (of("c.json"), of("c.txt"), of("csv"), of("x.gz")),
            (Some(Format::Json), None, None, None)
        );
    }

    #[test]
    fn the_first_character_tells_the_format() {
        assert_eq!(Format::sniff(b"\r\n {\"id\""), Some(Format::Jsonl));
        assert_eq!(Format::sniff(b"[{"), Some(Format::Json));
        assert_eq!(Format::sniff(b"user_id,"), Some(Format::Csv));
        assert_eq!(Format::sniff(b"\n"), None);
    }
}
