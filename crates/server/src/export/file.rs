//! An output file that is either whole or not there.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use uuid::Uuid;

use crate::private_file;

/// A file under a name of its own until it is whole; compressed when its name ends with `.gz`.
pub struct OutputFile {
    path: PathBuf,
    part: PathBuf,
    writer: Option<Writer>,
}

enum Writer {
    Plain(BufWriter<File>),
    Gzip(GzEncoder<BufWriter<File>>),
}

impl OutputFile {
    /// Begins a file.
    ///
    /// # Errors
    /// When it cannot be created.
    pub fn create(path: &Path) -> io::Result<Self> {
        let mut part = path.as_os_str().to_owned();
        // A name under which no other user can have put a link.
        part.push(format!(".{}.part", Uuid::now_v7().simple()));
        let part = PathBuf::from(part);
        let file = BufWriter::new(private_file::create_new(&part)?);
        let is_gzip = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gz"));
        let writer = if is_gzip {
            Writer::Gzip(GzEncoder::new(file, Compression::default()))
        } else {
            Writer::Plain(file)
        };
        Ok(Self { path: path.to_owned(), part, writer: Some(writer) })
    }

    /// Gives the file its name, in place of one that had it.
    ///
    /// # Errors
    /// When the last bytes or the name cannot be written.
    pub fn finish(mut self) -> io::Result<()> {
        let file = match self.writer.take() {
            Some(Writer::Plain(file)) => file,
            Some(Writer::Gzip(gzip)) => gzip.finish()?,
            None => return Ok(()),
        };
        file.into_inner()?.sync_all()?;
        fs::rename(&self.part, &self.path)
    }
}

impl Drop for OutputFile {
    /// A file that was not finished is not left behind.
    fn drop(&mut self) {
        if self.writer.is_some() {
            // Nothing can be done about a part that cannot be removed, and its name tells what it is.
            drop(fs::remove_file(&self.part));
        }
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.writer {
            Some(Writer::Plain(file)) => file.write(bytes),
            Some(Writer::Gzip(gzip)) => gzip.write(bytes),
            None => Ok(bytes.len()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.writer {
            Some(Writer::Plain(file)) => file.flush(),
            Some(Writer::Gzip(gzip)) => gzip.flush(),
            None => Ok(()),
        }
    }
}
