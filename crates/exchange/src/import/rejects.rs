//! The reject file: rows that were not imported, each with the reason. The operator corrects them and imports the file
//! again, so it holds the bytes of the input and escapes nothing for spreadsheets.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, Read};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

use csv::ByteRecord;
use rustix::process::geteuid;

use super::csv_record::split;
use super::header::{ESCAPED, Header, JSON_ROW, REJECT_COLUMNS, SEPARATORS};
use super::rows::{Column, RawRow, exact_cell};
use super::watch::RejectedRow;
use super::{ACTIVITY_COLUMNS, ImportError, Input, PRODUCT_COLUMNS, Problems, USER_COLUMNS};
use crate::private_file;

/// How many bytes of a file are read to decide whether it is a reject file.
const HEADER_BYTES: u64 = 1 << 10;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reject {
    pub line: u64,
    pub reason: String,
}

/// The file of rejected rows. The first rejected row creates it and replaces the file of an earlier run.
pub(super) struct RejectFile {
    path: Option<PathBuf>,
    writer: Option<csv::Writer<BufWriter<File>>>,
}

impl RejectFile {
    /// Writes rejected rows to `path`, or to no file. Refuses an existing file that is not a reject file:
    /// it would be overwritten, and it may be the input.
    pub(super) fn new(path: Option<PathBuf>, input: &Input) -> Result<Self, ImportError> {
        if let Some(path) = &path
            && let Some(problem) = path_problem(path, input).map_err(|error| write_error(path, error))?
        {
            let problem = format!("rejected rows cannot be written to {}, which {problem}", path.display());
            return Err(ImportError::Usage(problem));
        }
        Ok(Self { path, writer: None })
    }

    /// Writes a row with its cells and the separator of the input, so that it can be corrected and imported again. `header` is
    /// `None` for JSON Lines, where each row names its fields.
    pub(super) fn add(
        &mut self,
        header: Option<&Header>,
        row: &RawRow,
        reason: &str,
    ) -> Result<(), ImportError> {
        let Some(path) = &self.path else { return Ok(()) };
        let added = add(path, &mut self.writer, header, row, reason);
        added.map_err(|error| write_error(path, error))
    }

    /// Flushes the file. Removes the file of an earlier run when this run imported every row of the input.
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
        finished.map_err(|error| write_error(&path, error))
    }
}

/// Why rejected rows cannot be written to `path`. Writing to something that is not a regular file, such as `/dev/null`,
/// overwrites nothing.
fn path_problem(path: &Path, input: &Input) -> io::Result<Option<&'static str>> {
    if !is_device(path) && path.is_symlink() {
        return Ok(Some("is a symbolic link: remove the link, or choose another file"));
    }
    let Some(existing) = regular_file(path)? else { return Ok(None) };
    let is_same = |input: &Metadata| (input.dev(), input.ino()) == (existing.dev(), existing.ino());
    if input.metadata.as_ref().is_some_and(is_same) {
        return Ok(Some("is the input"));
    }
    Ok((!is_reject_file(path)?).then_some("exists and is not a reject file"))
}

/// Whether the path leads to a terminal, to `/dev/null`, or to a pipe of the same user. A pipe of another user does not
/// count, because that user could read the rows.
fn is_device(path: &Path) -> bool {
    path.metadata().is_ok_and(|metadata| is_of_device(&metadata))
}

fn is_of_device(metadata: &Metadata) -> bool {
    let kind = metadata.file_type();
    kind.is_char_device() || (kind.is_fifo() && metadata.uid() == geteuid().as_raw())
}

/// Opens the reject file. Follows a symbolic link only to a device, even when the link appears during the import.
fn open(path: &Path) -> io::Result<File> {
    if !is_device(path) {
        return private_file::replace(path);
    }
    let device = OpenOptions::new().write(true).open(path)?;
    if is_of_device(&device.metadata()?) {
        return Ok(device);
    }
    Err(io::Error::other("the file was replaced while the import ran"))
}

fn regular_file(path: &Path) -> io::Result<Option<Metadata>> {
    match fs::metadata(path) {
        Ok(metadata) => Ok(metadata.is_file().then_some(metadata)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Whether the file starts with the header of a reject file. An empty file counts, because a killed run leaves one.
fn is_reject_file(path: &Path) -> io::Result<bool> {
    let mut start = Vec::new();
    File::open(path)?.take(HEADER_BYTES).read_to_end(&mut start)?;
    let header = start.split(|&byte| byte == b'\n').next().unwrap_or_default().trim_ascii_end();
    let mut names = header.split(|byte| SEPARATORS.contains(byte));
    let [line, reason] = REJECT_COLUMNS.map(str::as_bytes);
    let begins = names.next() == Some(line) && names.next() == Some(reason);
    let known = [&PRODUCT_COLUMNS[..], &USER_COLUMNS, &ACTIVITY_COLUMNS, &[JSON_ROW, ESCAPED]].concat();
    Ok(start.is_empty() || begins && names.all(|name| known.iter().any(|known| known.as_bytes() == name)))
}

fn add(
    path: &Path,
    writer: &mut Option<csv::Writer<BufWriter<File>>>,
    header: Option<&Header>,
    row: &RawRow,
    reason: &str,
) -> io::Result<()> {
    let writer = if let Some(writer) = writer {
        writer
    } else {
        let separator = separator_of(header);
        let mut new = csv::WriterBuilder::new()
            .delimiter(separator)
            .flexible(true)
            .from_writer(BufWriter::new(open(path)?));
        let names = columns_of(header).iter().filter_map(|column| *column);
        new.write_record(REJECT_COLUMNS.into_iter().chain(names))?;
        writer.insert(new)
    };
    writer.write_field(row.line.to_string())?;
    writer.write_field(reason)?;
    cells(row, header, |cell| writer.write_field(cell))?;
    Ok(writer.write_record(None::<&[u8]>)?)
}

/// A refused row with its exact cells.
pub(super) fn rejected_row(header: Option<&Header>, row: &RawRow, reason: &str) -> RejectedRow {
    let (separator, mut found) = (separator_of(header), Vec::new());
    // Collecting cells cannot fail.
    let is_split = cells(row, header, |cell| {
        found.push(cell.to_vec());
        Ok(())
    });
    let mut names: Vec<_> = columns_of(header).iter().flatten().copied().collect();
    if let Some(at) = names.iter().position(|name| *name == ESCAPED) {
        names.remove(at);
        if is_split.is_ok_and(|is_split| is_split) && at < found.len() {
            found.remove(at);
        }
        for cell in &mut found {
            *cell = exact_cell(cell, separator);
        }
    }
    let (reason, problems) = (reason.to_owned(), Problems::default());
    RejectedRow { line: row.line, reason, problems, columns: names, cells: found, separator }
}

fn columns_of(header: Option<&Header>) -> &[Column] {
    match header {
        Some(header) => &header.columns,
        None => &[Some(JSON_ROW)],
    }
}

fn separator_of(header: Option<&Header>) -> u8 {
    header.map_or(b',', |header| header.separator)
}

/// Writes the cells of a row, without those of ignored columns. A row with a wrong number of cells keeps a wrong number, and a row
/// that cannot be split is whole in one cell, with as many empty ones as there are columns, so that an import refuses both again until they are corrected. Returns whether the row was split.
fn cells(
    row: &RawRow,
    header: Option<&Header>,
    mut write: impl FnMut(&[u8]) -> csv::Result<()>,
) -> csv::Result<bool> {
    let Some(Header { columns, separator }) = header else { return write(&row.text).map(|()| false) };
    if row.fault.is_none() {
        let mut record = ByteRecord::new();
        split(&row.text, *separator, &mut record);
        let is_ignored = |place: usize| columns.get(place).is_some_and(Option::is_none);
        let mut kept = record.iter().enumerate().filter(|(place, _)| !is_ignored(*place));
        return kept.try_for_each(|(_, cell)| write(cell)).map(|()| true);
    }
    write(&row.text)?;
    columns.iter().flatten().try_for_each(|_| write(b"")).map(|()| false)
}

fn write_error(path: &Path, error: io::Error) -> ImportError {
    ImportError::Rejects { path: path.to_owned(), error }
}
