//! The reject file: rows that were not taken in, with the reason, so that they can be mended. It holds their bytes as the
//! input had them, since it is imported again: nothing is escaped for spreadsheets.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, Read};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

use csv::ByteRecord;
use rustix::process::geteuid;

use super::csv_record::split;
use super::header::{JSON_ROW, REJECT_COLUMNS};
use super::rows::{Column, RawRow};
use super::{ACTIVITY_COLUMNS, ImportError, Input, PRODUCT_COLUMNS, USER_COLUMNS};
use crate::private_file;

/// How much of a file is looked at to tell whether it is a reject file, in bytes.
const HEADER_BYTES: u64 = 1 << 10;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reject {
    pub line: u64,
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
        if let Some(path) = &path
            && let Some(problem) = why_not(path, input).map_err(|error| refused(path, error))?
        {
            let problem = format!("rejected rows cannot go to {}, which {problem}", path.display());
            return Err(ImportError::Usage(problem));
        }
        Ok(Self { path, writer: None })
    }

    /// Writes a row with the cells that it had in the input, so that it can be corrected and imported again. There are
    /// no columns where each row names its fields.
    pub(super) fn add(
        &mut self,
        columns: Option<&[Column]>,
        row: &RawRow,
        reason: &str,
    ) -> Result<(), ImportError> {
        let Some(path) = &self.path else { return Ok(()) };
        let added = add(path, &mut self.writer, columns, row, reason);
        added.map_err(|error| refused(path, error))
    }

    /// Brings everything to the file. The file of an earlier run goes when this one had every row
    /// of the input and took them all in.
    pub(super) fn finish(self, is_clean: bool) -> Result<(), ImportError> {
        let Some(path) = self.path else { return Ok(()) };
        let finished = match self.writer {
            Some(mut writer) => writer.flush(),
            None if is_clean => match regular_file(&path) {
                Ok(Some(_)) => fs::remove_file(&path),
                other => other.map(drop),
            },
            None => Ok(()),
        };
        finished.map_err(|error| refused(&path, error))
    }
}

/// Why rejected rows may not go there. What is no regular file, such as /dev/null, loses nothing when it is written to.
fn why_not(path: &Path, input: &Input) -> io::Result<Option<&'static str>> {
    if !is_device(path) && path.is_symlink() {
        return Ok(Some("is a symbolic link: remove the link, or let them go elsewhere"));
    }
    let Some(found) = regular_file(path)? else { return Ok(None) };
    let is_same = |input: &Metadata| (input.dev(), input.ino()) == (found.dev(), found.ino());
    if input.metadata.as_ref().is_some_and(is_same) {
        return Ok(Some("is the input"));
    }
    Ok((!is_reject_file(path)?).then_some("exists and is no reject file"))
}

/// Whether the name leads to a terminal, to /dev/null, or to a pipe of the same user. Another user who made a pipe would
/// read the rows.
fn is_device(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| is_of_device(&found))
}

fn is_of_device(metadata: &Metadata) -> bool {
    let kind = metadata.file_type();
    kind.is_char_device() || (kind.is_fifo() && metadata.uid() == geteuid().as_raw())
}

/// Opens what rejected rows go to. Only a device is written to through a link, also when the link appears during the
/// import.
fn open(path: &Path) -> io::Result<File> {
    if !is_device(path) {
        return private_file::replace(path);
    }
    let device = OpenOptions::new().write(true).open(path)?;
    if is_of_device(&device.metadata()?) {
        return Ok(device);
    }
    Err(io::Error::other("it was replaced while the import ran"))
}

fn regular_file(path: &Path) -> io::Result<Option<Metadata>> {
    match fs::metadata(path) {
        Ok(metadata) => Ok(metadata.is_file().then_some(metadata)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// An empty file counts as one: a run that was killed leaves it behind.
fn is_reject_file(path: &Path) -> io::Result<bool> {
    let mut start = Vec::new();
    File::open(path)?.take(HEADER_BYTES).read_to_end(&mut start)?;
    let header = start.split(|&byte| byte == b'\n').next().unwrap_or_default().trim_ascii_end();
    let mut names = header.split(|&byte| byte == b',');
    let [line, reason] = REJECT_COLUMNS.map(str::as_bytes);
    let begins = names.next() == Some(line) && names.next() == Some(reason);
    let known = [&PRODUCT_COLUMNS[..], &USER_COLUMNS, &ACTIVITY_COLUMNS, &[JSON_ROW]].concat();
    Ok(start.is_empty() || begins && names.all(|name| known.iter().any(|known| known.as_bytes() == name)))
}

fn add(
    path: &Path,
    writer: &mut Option<csv::Writer<BufWriter<File>>>,
    columns: Option<&[Column]>,
    row: &RawRow,
    reason: &str,
) -> io::Result<()> {
    let writer = if let Some(writer) = writer {
        writer
    } else {
        let mut new = csv::Writer::from_writer(BufWriter::new(open(path)?));
        let names = columns.unwrap_or(&[Some(JSON_ROW)]).iter().filter_map(|column| *column);
        new.write_record(REJECT_COLUMNS.into_iter().chain(names))?;
        writer.insert(new)
    };
    writer.write_field(row.line.to_string())?;
    writer.write_field(reason)?;
    cells(row, columns, |cell| writer.write_field(cell))?;
    Ok(writer.write_record(None::<&[u8]>)?)
}

/// The cells of a row by the columns that are not ignored. A row that does not split into them stands whole in the
/// first one.
fn cells(
    row: &RawRow,
    columns: Option<&[Column]>,
    mut write: impl FnMut(&[u8]) -> csv::Result<()>,
) -> csv::Result<()> {
    let mut record = ByteRecord::new();
    if row.fault.is_none()
        && let Some(columns) = columns
    {
        split(&row.text, &mut record);
        if record.len() == columns.len() {
            let mut known = record.iter().zip(columns).filter(|(_, column)| column.is_some());
            return known.try_for_each(|(cell, _)| write(cell));
        }
    }
    write(&row.text)?;
    let named = columns.unwrap_or_default().iter().flatten().count();
    (1..named).try_for_each(|_| write(b""))
}

fn refused(path: &Path, error: io::Error) -> ImportError {
    ImportError::Rejects { path: path.to_owned(), error }
}
