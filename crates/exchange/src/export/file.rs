//! An output file that appears under its name only when it is complete.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use uuid::Uuid;

use crate::private_file;

/// A file that keeps a temporary name until it is complete. It is compressed when its name ends with `.gz`.
pub struct OutputFile {
    path: PathBuf,
    writer: Writer,
    part: Part,
}

enum Writer {
    Plain(BufWriter<File>),
    Gzip(GzEncoder<BufWriter<File>>),
}

/// The path of the temporary file. Dropping it removes the file, unless the file was renamed.
struct Part(PathBuf);

impl Drop for Part {
    fn drop(&mut self) {
        // A file that cannot be removed stays. Its name ends with `.part`, so an operator can recognize it.
        drop(fs::remove_file(&self.0));
    }
}

impl OutputFile {
    /// Creates the temporary file next to `path`.
    ///
    /// # Errors
    /// When the file cannot be created.
    pub fn create(path: &Path) -> io::Result<Self> {
        let mut part = path.as_os_str().to_owned();
        // The random name keeps another user from placing a link there first.
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

    /// Flushes the file and renames it to its final name. An existing file of that name is replaced.
    ///
    /// # Errors
    /// When the last bytes cannot be written or the file cannot be renamed.
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
