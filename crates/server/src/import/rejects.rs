//! The reject file: rows that were not taken in, with the reason, so that they can be mended.

use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use super::ImportError;
use super::rows::RawRow;

const COLUMNS: [&str; 3] = ["line", "reason", "row"];

/// A row that was not taken in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reject {
    /// The line it begins on, from 1.
    pub line: u64,
    /// Everything that is wrong with it.
    pub reason: String,
}

/// The file of rejected rows; made with the first one, and never left over from an earlier run.
pub(super) struct RejectFile {
    path: Option<PathBuf>,
    writer: Option<csv::Writer<BufWriter<File>>>,
}

impl RejectFile {
    /// Rejected rows go to this file, or nowhere.
    pub(super) fn new(path: Option<PathBuf>) -> Self {
        Self { path, writer: None }
    }

    /// Writes a row as it stood in the input.
    pub(super) fn add(&mut self, row: &RawRow, reason: &str) -> Result<(), ImportError> {
        let Some(path) = &self.path else { return Ok(()) };
        add(path, &mut self.writer, row, reason).map_err(|error| refused(path, error))
    }

    /// Brings everything to the file; removes the file of an earlier run when there was nothing.
    pub(super) fn finish(self) -> Result<(), ImportError> {
        match (self.path, self.writer) {
            (Some(path), Some(mut writer)) => writer.flush().map_err(|error| refused(&path, error)),
            (Some(path), None) => match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => Err(refused(&path, error)),
                _ => Ok(()),
            },
            (None, _) => Ok(()),
        }
    }
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
