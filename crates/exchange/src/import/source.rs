//! The input of an import: a file, stdin or memory; plain or gzip, with or without a byte order mark.

use std::fs::{File, Metadata};
use std::io::{self, BufReader, Cursor, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;
use indicatif::ProgressBar;

use super::{Format, ImportError, Rule};

/// The size of the read buffer, in bytes.
const READ_BYTES: usize = 128 << 10;
/// How many decompressed bytes are read to detect the format.
const SNIFF_BYTES: usize = 64;
const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];
const BYTE_ORDER_MARK: [u8; 3] = [0xef, 0xbb, 0xbf];
/// The first bytes of zip archives, among them new spreadsheets, and of old spreadsheets.
const SPREADSHEETS: [&[u8]; 2] = [b"PK\x03\x04", b"\xd0\xcf\x11\xe0"];
/// The first bytes of PNG, JPEG, GIF, WebP and PDF files.
const BINARY_FILES: [&[u8]; 5] = [b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"RIFF", b"%PDF"];

/// An unread input.
pub struct Input {
    reader: Box<dyn Read + Send>,
    format: Option<Format>,
    /// Of a file that was opened by path; `None` for other readers.
    pub(super) metadata: Option<Metadata>,
}

/// Decompressed input without its byte order mark.
pub(super) type TextReader = BufReader<Box<dyn Read + Send>>;

impl Input {
    /// Opens a file. Without a format, the file name extension decides.
    ///
    /// # Errors
    /// When the file cannot be opened or is a directory.
    pub fn file(path: &Path, format: Option<Format>) -> io::Result<Self> {
        let file = File::open(path)?;
        let metadata = file.metadata()?;
        if metadata.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let input = Self::reader(file, format.or_else(|| Format::of_path(path)));
        Ok(Self { metadata: Some(metadata), ..input })
    }

    /// Takes any reader, such as stdin or bytes in memory. Without a format, the first character decides.
    pub fn reader(reader: impl Read + Send + 'static, format: Option<Format>) -> Self {
        Self { reader: Box::new(reader), format, metadata: None }
    }

    /// The size before decompression, in bytes; `None` when it is unknown.
    pub(super) fn total_bytes(&self) -> Option<u64> {
        self.metadata.as_ref().filter(|metadata| metadata.is_file()).map(Metadata::len)
    }

    /// Makes the bar count the bytes that are read, before decompression.
    pub(super) fn count_by(&mut self, bar: &ProgressBar) {
        let reader = std::mem::replace(&mut self.reader, Box::new(io::empty()));
        self.reader = Box::new(bar.wrap_read(reader));
    }

    /// The text and its format. The format is `None` when the input is empty and none was given.
    pub(super) fn open(self) -> Result<(Option<Format>, TextReader), ImportError> {
        let given = self.format;
        let (start, rest) = self.unpack().map_err(ImportError::Unreadable)?;
        if let Some(problem) = encoding_problem(&start) {
            return Err(ImportError::Input(problem));
        }
        let start = start.strip_prefix(&BYTE_ORDER_MARK).unwrap_or(&start);
        let format = given.or_else(|| Format::sniff(start));
        let text: Box<dyn Read + Send> = Box::new(Cursor::new(start.to_vec()).chain(rest));
        Ok((format, BufReader::with_capacity(READ_BYTES, text)))
    }

    /// The first [`SNIFF_BYTES`] of the decompressed input, and a reader of the rest.
    fn unpack(self) -> io::Result<(Vec<u8>, Box<dyn Read + Send>)> {
        let mut raw = BufReader::with_capacity(READ_BYTES, self.reader);
        let magic = take_start(&mut raw, GZIP_MAGIC.len())?;
        let is_gzip = magic == GZIP_MAGIC;
        let raw = Cursor::new(magic).chain(raw);
        let mut plain: Box<dyn Read + Send> =
            if is_gzip { Box::new(MultiGzDecoder::new(raw)) } else { Box::new(raw) };
        Ok((take_start(&mut plain, SNIFF_BYTES)?, plain))
    }
}

/// Says what the input is when its first bytes cannot begin a UTF-8 file.
fn encoding_problem(start: &[u8]) -> Option<Rule> {
    if SPREADSHEETS.iter().any(|magic| start.starts_with(magic)) {
        return Some(Rule::Spreadsheet);
    }
    if is_utf_16(start) {
        return Some(Rule::Utf16);
    }
    let is_binary = start.contains(&0) || BINARY_FILES.iter().any(|magic| start.starts_with(magic));
    is_binary.then_some(Rule::Binary)
}

/// Whether the input has the byte order mark of UTF-16, or begins with two ASCII characters in UTF-16.
fn is_utf_16(start: &[u8]) -> bool {
    let is_text = |byte: u8| byte.is_ascii_graphic() || byte.is_ascii_whitespace();
    match start {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => true,
        [0, first, 0, second, ..] | [first, 0, second, 0, ..] => is_text(*first) && is_text(*second),
        _ => false,
    }
}

/// Reads the first `length` bytes, or fewer at the end of the input.
fn take_start(reader: &mut impl Read, length: usize) -> io::Result<Vec<u8>> {
    let mut start = Vec::with_capacity(length);
    reader.take(length as u64).read_to_end(&mut start)?;
    Ok(start)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn open(bytes: &[u8]) -> (Option<Format>, String) {
        let (format, mut text) = Input::reader(Cursor::new(bytes.to_vec()), None).open().unwrap();
        let mut read = String::new();
        text.read_to_string(&mut read).unwrap();
        (format, read)
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn gzip_with_several_members_is_detected_by_first_bytes() {
        let two = [gzip(b"user_id\n"), gzip(b"ann\n")].concat();
        assert_eq!(open(&two), (Some(Format::Csv), "user_id\nann\n".to_owned()));
    }

    #[test]
    fn byte_order_mark_is_removed() {
        assert_eq!(open(b"\xef\xbb\xbf{}"), (Some(Format::Jsonl), "{}".to_owned()));
        assert_eq!(open(&gzip(b"\xef\xbb\xbf[]")), (Some(Format::Json), "[]".to_owned()));
        assert_eq!(open(b""), (None, String::new()));
    }

    #[test]
    fn spreadsheets_utf_16_and_binary_files_are_refused_by_name() {
        let problem = |bytes: &[u8]| {
            Input::reader(Cursor::new(bytes.to_vec()), None).open().err().map(|error| error.to_string())
        };
        for (bytes, word) in [
            (&b"PK\x03\x04\x14\0\x06"[..], "spreadsheet"),
            (b"\xd0\xcf\x11\xe0\xa1", "spreadsheet"),
            (b"\xff\xfei\0d\0", "UTF-16"),
            (b"\xfe\xff\0i\0d", "UTF-16"),
            (b"i\0d\0", "UTF-16"),
            (b"\0[\0{", "UTF-16"),
            (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "not a table"),
            (b"\xff\xd8\xff\xe0", "not a table"),
            (b"GIF89a", "not a table"),
            (b"RIFF\x24\x01\x01\x01WEBP", "not a table"),
            (b"%PDF-1.7\n", "not a table"),
            (b"\0\0\x01\0", "not a table"),
            (b"user_id\n\0", "not a table"),
            (&gzip(b"PK\x03\x04"), "spreadsheet"),
        ] {
            assert!(problem(bytes).unwrap().contains(word), "{bytes:?}");
        }
        assert_eq!(problem(b"PK,title\n"), None);
    }
}
