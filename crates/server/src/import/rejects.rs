//! The reject file: rows that were not taken in, with the reason, so that they can be mended.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read};
use std::path::{Path, PathBuf};

use super::rows::RawRow;
use super::source::FileIdentity;
use super::{ImportError, Input};

const COLUMNS: [&str; 3] = ["line", "reason", "row"];

/// How every reject file begins, without the line end.
const FIRST_LINE: &[u8] = b"line,reason,row";

/// A row that was not taken in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reject {
    /// The line it begins on, from 1.
    pub line: u64,
    /// Everything that is wrong with it.
    pub reason: String,
}

/// The file of rejected rows; made with the first one, in place of that of an earlier run.
pub(super) struct RejectFile {
    path: Option<PathBuf>,
    writer: Option<csv::Writer<BufWriter<File>>>,
}

impl RejectFile {
    /// Rejected rows go to this file, or nowhere. Refuses a file that holds anything else: it
    /// would be overwritten, and it may be the input.
    pub(super) fn new(path: Option<PathBuf>, input: &Input) -> Result<Self, ImportError> {
        if let Some(path) = &path {
            check(path, input.identity()).map_err(|error| refused(path, error))??;
        }
        Ok(Self { path, writer: None })
    }

    /// Writes a row as it stood in the input.
    pub(super) fn add(&mut self, row: &RawRow, reason: &str) -> Result<(), ImportError> {
        let Some(path) = &self.path else { return Ok(()) };
        add(path, &mut self.writer, row, reason).map_err(|error| refused(path, error))
    }

    /// Brings everything to the file. The file of an earlier run goes when this one had every row
    /// of the input and took them all in.
    pub(super) fn finish(self, is_clean: bool) -> Result<(), ImportError> {
        let Some(path) = self.path else { return Ok(()) };
        let finished = match self.writer {
            Some(mut writer) => writer.flush(),
            None if is_clean => remove(&path),
            None => Ok(()),
        };
        finished.map_err(|error| refused(&path, error))
    }
}

/// Whether rejected rows may go there. What is no regular file, such as /dev/null, loses nothing
/// when it is written to.
fn check(path: &Path, input: Option<FileIdentity>) -> io::Result<Result<(), ImportError>> {
    let Some(metadata) = regular_file(path)? else { return Ok(Ok(())) };
    let told = path.display();
    Ok(if input == Some(FileIdentity::of(&metadata)) {
        Err(ImportError::Usage(format!("rejected rows cannot go to {told}, which is the input")))
    } else if is_reject_file(path)? {
        Ok(())
    } else {
        Err(ImportError::Usage(format!(
            "rejected rows cannot go to {told}, which exists and is no reject file"
        )))
    })
}

fn regular_file(path: &Path) -> io::Result<Option<fs::Metadata>> {
    match fs::metadata(path) {
        Ok(metadata) => Ok(metadata.is_file().then_some(metadata)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// An empty file counts as one: a run that was killed leaves it behind.
fn is_reject_file(path: &Path) -> io::Result<bool> {
    let mut start = Vec::new();
    File::open(path)?.take(FIRST_LINE.len() as u64 + 1).read_to_end(&mut start)?;
    let rest = start.strip_prefix(FIRST_LINE);
    Ok(start.is_empty() || matches!(rest, Some([] | [b'\r' | b'\n'])))
}

fn remove(path: &Path) -> io::Result<()> {
    if regular_file(path)?.is_some() { fs::remove_file(path) } else { Ok(()) }
}

fn add(
    path: &Path,
    writer: &mut Option<csv::Writer<BufWriter<File>>>,
    row: &RawRow,
    reason: &str,
) -> io::Result<()> {
    let writer = if let Some(writer) = writer {
        writer
    } else {
        let mut new = csv::Writer::from_writer(BufWriter::new(File::create(path)?));
        new.write_record(COLUMNS)?;
        writer.insert(new)
    };
    let line = row.line.to_string();
    Ok(writer.write_record([line.as_bytes(), reason.as_bytes(), &row.text])?)
}

fn refused(path: &Path, error: io::Error) -> ImportError {
    ImportError::Rejects { path: path.to_owned(), error }
}
