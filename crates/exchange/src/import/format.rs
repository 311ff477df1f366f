//! The file formats, and how a file name or the first bytes of the input select one.

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
    /// The format that the file name extension selects. A final `.gz` is ignored.
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

    /// The format that the first visible character selects; `None` when there is no such character.
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
    fn file_name_selects_format() {
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
    fn first_character_selects_format() {
        assert_eq!(Format::sniff(b"\r\n {\"id\""), Some(Format::Jsonl));
        assert_eq!(Format::sniff(b"[{"), Some(Format::Json));
        assert_eq!(Format::sniff(b"user_id,"), Some(Format::Csv));
        assert_eq!(Format::sniff(b"\n"), None);
    }
}
