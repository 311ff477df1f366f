//! Opens and configures connections.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, Row};

use crate::sqlite::error::{OpenFailure, Outcome, StoreFailure};
use crate::sqlite::migrate;
use crate::sqlite::options::SqliteOptions;
use crate::sqlite::retry::while_busy;

/// Larger than the number of different statements, so that each connection prepares a statement once.
const CACHED_STATEMENTS: usize = 128;

/// The size in bytes to which SQLite truncates a write-ahead log that grew in a large import.
const WAL_SIZE_LIMIT_BYTES: i64 = 64 * 1_024 * 1_024;

/// How many pages of 4 KiB the write-ahead log holds before a checkpoint. Many writes touch the same pages, so a longer
/// log writes less. It gives a tenth more commits per second than SQLite's default of 1,000 pages. After a crash, SQLite
/// still reads it quickly.
const CHECKPOINT_PAGES: i64 = 4_000;

/// Opens the writing connection. Creates the file if it does not exist.
pub(crate) fn open_file(path: &Path, options: &SqliteOptions) -> Result<Connection, OpenFailure> {
    let connection = open_writer(path, options, OpenFlags::SQLITE_OPEN_CREATE)?;
    // This check refuses a database of another program before anything in it changes.
    while_busy(&connection, options, migrate::recorded)?;
    prepare_writer(connection, options)
}

/// Opens the writing connection to a file with pointbook tables. Changes nothing in any other file.
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
    // WAL with `synchronous = NORMAL` can lose acknowledged writes in a power cut.
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "journal_size_limit", WAL_SIZE_LIMIT_BYTES)?;
    connection.pragma_update(None, "wal_autocheckpoint", CHECKPOINT_PAGES)?;
    Ok(connection)
}

/// Switches the file to a write-ahead log. Takes a lock only when the file does not have one yet.
fn keep_write_ahead_log(connection: &Connection) -> Result<(), OpenFailure> {
    let mode = |row: &Row<'_>| row.get::<_, String>(0);
    if connection.pragma_query_value(None, "journal_mode", mode)? == "wal" {
        return Ok(());
    }
    // The switch does not wait for another process that does the same. BEGIN IMMEDIATE waits.
    connection.execute_batch("BEGIN IMMEDIATE; COMMIT")?;
    let changed = connection.pragma_update_and_check(None, "journal_mode", "WAL", mode)?;
    if changed == "wal" { Ok(()) } else { Err(OpenFailure::NoWal) }
}

/// How reading connections open the file.
#[derive(Debug, Clone)]
pub(crate) enum ReadMode {
    /// This process has a writer.
    BesideWriter,
    /// This process never writes to the file. Another process may.
    Shared,
    /// No other process has the file open. This process writes neither to the file nor to its folder.
    Unopened(FileState),
}

impl ReadMode {
    /// The mode for a process that must not write.
    pub(crate) fn of_file(path: &Path) -> std::io::Result<Self> {
        if has_companion(path) { Ok(Self::Shared) } else { FileState::of(path).map(Self::Unopened) }
    }

    /// Fails when another process has opened the file since, because a read may then mix two states.
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

/// The metadata that changes when a file is written or replaced.
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

/// Whether the file has a log beside it. Then a process has the file open, or ended without closing it.
fn has_companion(path: &Path) -> bool {
    ["-wal", "-journal"].iter().any(|end| {
        let mut name = path.as_os_str().to_owned();
        name.push(end);
        Path::new(&name).exists()
    })
}

/// Opens a read-only connection in the given mode.
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

/// Encodes a path as a SQLite URI.
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

/// Opens a connection that can only read. It does not map the file into memory: a disk error on a mapped page kills the
/// process, and the memory for mapped pages has no bound.
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
    // SQLite must use one plan for all values. Otherwise it prepares a cached statement with a bound LIMIT again on each
    // use, which costs more than running it.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    // SQLite reads a negative size as KiB and a positive one as pages.
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
    fn cached_statement_is_prepared_once_for_all_values() {
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
    fn writer_is_durable_and_reader_cannot_write() {
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
