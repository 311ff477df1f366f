//! Opening connections, and how each is set up.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, Row};

use crate::error::{OpenFailure, Outcome, StoreFailure};
use crate::migrate;
use crate::options::SqliteOptions;
use crate::retry::while_busy;

/// More than the number of different statements, so that none is prepared twice.
const CACHED_STATEMENTS: usize = 128;

/// What a write-ahead log that grew in a large import is cut back to, in bytes.
const WAL_SIZE_LIMIT_BYTES: i64 = 64 * 1_024 * 1_024;

/// How many pages of 4 KiB the write-ahead log gathers before they go into the file. Many writes touch
/// the same pages, so a longer log writes less: a tenth more commits per second than SQLite's own 1,000
/// pages give. Still short enough to be read in a moment after a crash.
const CHECKPOINT_PAGES: i64 = 4_000;

/// Opens the connection that writes, and creates the file when there is none.
pub(crate) fn open_file(path: &Path, options: &SqliteOptions) -> Result<Connection, OpenFailure> {
    let connection = open_writer(path, options, OpenFlags::SQLITE_OPEN_CREATE)?;
    // A database of another program is refused before anything in it changes.
    while_busy(&connection, options, migrate::recorded)?;
    prepare_writer(connection, options)
}

/// Opens the connection that writes to a file that has our tables, and changes nothing in any other.
pub(crate) fn open_existing_file(path: &Path, options: &SqliteOptions) -> Result<Connection, OpenFailure> {
    let connection = open_writer(path, options, OpenFlags::empty())?;
    match while_busy(&connection, options, migrate::recorded)? {
        0 => Err(OpenFailure::Empty),
        _ => prepare_writer(connection, options),
    }
}

fn open_writer(path: &Path, options: &SqliteOptions, more: OpenFlags) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX | more;
    let connection = Connection::open_with_flags(path, flags)?;
    set_up(&connection, options, options.writer_cache_kib)?;
    Ok(connection)
}

fn prepare_writer(connection: Connection, options: &SqliteOptions) -> Result<Connection, OpenFailure> {
    while_busy(&connection, options, keep_write_ahead_log)?;
    // WAL with NORMAL loses acknowledged writes in a power cut.
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "journal_size_limit", WAL_SIZE_LIMIT_BYTES)?;
    connection.pragma_update(None, "wal_autocheckpoint", CHECKPOINT_PAGES)?;
    Ok(connection)
}

/// Makes the file keep a write-ahead log. Takes a lock only where the file has none yet.
fn keep_write_ahead_log(connection: &Connection) -> Result<(), OpenFailure> {
    let mode = |row: &Row<'_>| row.get::<_, String>(0);
    if connection.pragma_query_value(None, "journal_mode", mode)? == "wal" {
        return Ok(());
    }
    // The change itself does not wait for another process that makes it; this does.
    connection.execute_batch("BEGIN IMMEDIATE; COMMIT")?;
    let changed = connection.pragma_update_and_check(None, "journal_mode", "WAL", mode)?;
    if changed == "wal" { Ok(()) } else { Err(OpenFailure::NoWal) }
}

/// How connections that read open the file.
#[derive(Debug, Clone)]
pub(crate) enum ReadMode {
    /// Beside this process' writer.
    BesideWriter,
    /// Without any write to the file, while another process may write.
    Shared,
    /// Without any write to the folder either: no process has the file open.
    Unopened(FileState),
}

impl ReadMode {
    /// How a file is read by a process that must not write.
    pub(crate) fn of_file(path: &Path) -> std::io::Result<Self> {
        if has_companion(path) { Ok(Self::Shared) } else { FileState::of(path).map(Self::Unopened) }
    }

    /// Fails when another process has opened the file since, so that what was read may be of two states.
    pub(crate) fn check(&self, path: &Path) -> Outcome<()> {
        match self {
            Self::BesideWriter | Self::Shared => Ok(()),
            Self::Unopened(before) => {
                let is_same = !has_companion(path) && FileState::of(path).is_ok_and(|now| now == *before);
                if is_same { Ok(()) } else { Err(StoreFailure::Overwritten) }
            }
        }
    }
}

/// What changes when a file is written or replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FileState {
    device: u64,
    inode: u64,
    bytes: u64,
    modified: (i64, i64),
}

impl FileState {
    fn of(path: &Path) -> std::io::Result<Self> {
        let file = path.metadata()?;
        Ok(Self {
            device: file.dev(),
            inode: file.ino(),
            bytes: file.len(),
            modified: (file.mtime(), file.mtime_nsec()),
        })
    }
}

/// Whether a log stands beside the file: a process has it open, or ended without closing it.
fn has_companion(path: &Path) -> bool {
    ["-wal", "-journal"].iter().any(|end| {
        let mut name = path.as_os_str().to_owned();
        name.push(end);
        Path::new(&name).exists()
    })
}

/// Opens a connection that can only read, as the mode says.
pub(crate) fn open_reader_as(
    mode: &ReadMode,
    path: &Path,
    options: &SqliteOptions,
) -> Result<Connection, StoreFailure> {
    let uri = match mode {
        ReadMode::BesideWriter => return open_reader(path, options),
        ReadMode::Shared => file_uri(path, "mode=ro"),
        ReadMode::Unopened(_) => file_uri(path, "immutable=1"),
    };
    let flags =
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
    let connection = Connection::open_with_flags(uri, flags)?;
    set_up(&connection, options, options.reader_cache_kib)?;
    Ok(connection)
}

/// A path as SQLite reads it from a URI.
fn file_uri(path: &Path, query: &str) -> OsString {
    let mut uri = b"file:".to_vec();
    for &byte in path.as_os_str().as_bytes() {
        match byte {
            b'?' | b'#' | b'%' => uri.extend(format!("%{byte:02X}").bytes()),
            _ => uri.push(byte),
        }
    }
    uri.extend([b"?", query.as_bytes()].concat());
    OsString::from_vec(uri)
}

/// Opens a connection that can only read. Pages are read, not mapped: a mapped page that the disk
/// cannot give ends the process, and mapped pages cannot be bounded.
pub(crate) fn open_reader(path: &Path, options: &SqliteOptions) -> Result<Connection, StoreFailure> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    set_up(&connection, options, options.reader_cache_kib)?;
    connection.pragma_update(None, "query_only", true)?;
    Ok(connection)
}

fn set_up(connection: &Connection, options: &SqliteOptions, cache_kib: u32) -> rusqlite::Result<()> {
    connection.busy_timeout(options.busy_timeout())?;
    connection.set_prepared_statement_cache_capacity(CACHED_STATEMENTS);
    // One plan for all values. Without this, a cached statement with a bound LIMIT is prepared anew on each
    // use, which costs more than to run it.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    // A negative size is in KiB, a positive one in pages.
    connection.pragma_update(None, "cache_size", -i64::from(cache_kib))
}

#[cfg(test)]
mod tests {
    use pointbook_domain::Timestamp;
    use rusqlite::StatementStatus;

    use super::*;

    fn pragma(connection: &Connection, name: &str) -> String {
        connection
            .pragma_query_value(None, name, |row| {
                Ok(row.get::<_, i64>(0).map_or_else(|_| row.get(0), |number| Ok(number.to_string())))
            })
            .unwrap()
            .unwrap()
    }

    #[test]
    fn a_cached_statement_is_prepared_once_whatever_is_bound() {
        let folder = tempfile::tempdir().unwrap();
        let options = SqliteOptions::new(Timestamp::MIN);
        let connection = open_file(&folder.path().join("test.db"), &options).unwrap();
        for (limit, offset) in [(15, 0), (1, 1), (0, 7)] {
            let mut select = connection
                .prepare_cached("SELECT name FROM sqlite_schema ORDER BY name LIMIT ?1 OFFSET ?2")
                .unwrap();
            assert!(!select.exists([limit, offset]).unwrap());
            assert_eq!(select.get_status(StatementStatus::RePrepare), 0);
        }
    }

    #[test]
    fn the_writer_is_durable_and_the_reader_cannot_write() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("test.db");
        let options = SqliteOptions::new(Timestamp::MIN);
        let writer = open_file(&path, &options).unwrap();
        let full = "2";
        assert_eq!(pragma(&writer, "synchronous"), full);
        assert_eq!(pragma(&writer, "journal_mode"), "wal");
        assert_eq!(pragma(&writer, "wal_autocheckpoint"), "4000");
        assert_eq!(pragma(&writer, "foreign_keys"), "1");
        assert_eq!(pragma(&writer, "cache_size"), "-65536");
        let reader = open_reader(&path, &options).unwrap();
        assert_eq!(pragma(&reader, "cache_size"), "-8192");
        let create = "CREATE TABLE t (a INTEGER) STRICT";
        assert!(reader.execute_batch(create).is_err());
        writer.execute_batch(create).unwrap();
    }
}
