//! An output file that is either whole or not there.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use uuid::Uuid;

use crate::private_file;

/// A file under a temporary name until it is whole; compressed when its name ends with `.gz`.
pub struct OutputFile {
    path: PathBuf,
    writer: Writer,
    part: Part,
}

enum Writer {
    Plain(BufWriter<File>),
    Gzip(GzEncoder<BufWriter<File>>),
}

/// A file that is not left behind unless it is renamed.
struct Part(PathBuf);

impl Drop for Part {
    fn drop(&mut self) {
        // Nothing can be done about a part that cannot be removed, and its name tells what it is.
        drop(fs::remove_file(&self.0));
    }
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
        Ok(Self { path: path.to_owned(), writer, part: Part(part) })
    }

    /// Gives the file its name, in place of one that had it.
    ///
    /// # Errors
    /// When the last bytes or the name cannot be written.
    pub fn finish(self) -> io::Result<()> {
        let file = match self.writer {
            Writer::Plain(file) => file,
            Writer::Gzip(gzip) => gzip.finish()?,
        };
        file.into_inner()?.sync_all()?;
        fs::rename(&self.part.0, &self.path)
    }

    fn writer(&mut self) -> &mut dyn Write {
        match &mut self.writer {
            Writer::Plain(file) => file,
            Writer::Gzip(gzip) => gzip,
        }
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer().flush()
    }
}
