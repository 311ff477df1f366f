//! Backs up the whole database to a new file while other connections write.

use std::path::Path;

use crate::sqlite::connection::{ReadMode, open_existing_file, open_reader_as};
use crate::sqlite::error::{OpenError, OpenFailure};
use crate::sqlite::migrate;
use crate::sqlite::options::SqliteOptions;
use crate::sqlite::retry::while_busy;

/// Writes everything that was committed when the backup began to `target`, which must be missing or empty. Writers continue
/// meanwhile. The write-ahead log of the source grows until the backup ends.
///
/// `VACUUM INTO` reads one snapshot in one transaction. The online backup API of SQLite restarts after each write of
/// another process, so it may never end on a busy file. It also copies free pages.
///
/// The caller must sync the file, which may not be on the disk yet. This function blocks the thread.
///
/// # Errors
/// [`OpenError`] when the source is not a pointbook database, has a newer schema or is damaged, or when the target cannot
/// be written.
pub fn back_up(source: &Path, target: &Path, options: &SqliteOptions) -> Result<(), OpenError> {
    copy(source, target, options).map_err(|error| error.in_file(source))
}

fn copy(source: &Path, target: &Path, options: &SqliteOptions) -> Result<(), OpenFailure> {
    let mode = ReadMode::of_file(source).map_err(OpenFailure::System)?;
    let connection = open_reader_as(&mode, source, options)?;
    if while_busy(&connection, options, migrate::recorded)? == 0 {
        return Err(OpenFailure::Empty);
    }
    let target = target
        .to_str()
        .ok_or_else(|| OpenFailure::System(std::io::Error::other("the path of the target must be UTF-8")))?;
    connection.execute("VACUUM INTO ?1", [target])?;
    Ok(mode.check(source)?)
}

/// Moves the write-ahead log into the file, so that the file alone is the database. No other connection may be open.
///
/// # Errors
/// [`OpenError`] when the file is not a pointbook database, or another connection reads it.
pub fn empty_log(file: &Path, options: &SqliteOptions) -> Result<(), OpenError> {
    checkpoint(file, options).map_err(|error| error.in_file(file))
}

fn checkpoint(file: &Path, options: &SqliteOptions) -> Result<(), OpenFailure> {
    let connection = open_existing_file(file, options)?;
    let is_busy: bool = connection.query_one("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))?;
    let busy = || OpenFailure::System(std::io::Error::other("another connection uses the write-ahead log"));
    if is_busy { Err(busy()) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use pointbook_domain::Timestamp;
    use rusqlite::Connection;

    use super::*;
    use crate::sqlite::store::SqliteStore;

    fn options() -> SqliteOptions {
        SqliteOptions::new(Timestamp::MIN)
    }

    #[test]
    fn backup_of_open_file_has_its_data_in_one_file() {
        let folder = tempfile::tempdir().unwrap();
        let (source, target) = (folder.path().join("a.db"), folder.path().join("b.db"));
        let _open = SqliteStore::open(&source, &options()).unwrap();
        let writer = Connection::open(&source).unwrap();
        writer.pragma_update(None, "user_version", 7).unwrap();
        back_up(&source, &target, &options()).unwrap();
        let copy = Connection::open(&target).unwrap();
        let copied: i64 = copy.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap();
        assert_eq!(copied, 7);
        assert!(!folder.path().join("b.db-wal").exists());
        assert!(back_up(&source, &target, &options()).is_err(), "a target that is not empty must be refused");
    }

    #[test]
    fn file_with_an_empty_log_has_everything() {
        let folder = tempfile::tempdir().unwrap();
        let (path, copy) = (folder.path().join("a.db"), folder.path().join("b.db"));
        drop(SqliteStore::open(&path, &options()).unwrap());
        let writer = Connection::open(&path).unwrap();
        writer.pragma_update(None, "user_version", 7).unwrap();
        assert!(std::fs::metadata(folder.path().join("a.db-wal")).unwrap().len() > 0);
        empty_log(&path, &options()).unwrap();
        std::fs::copy(&path, &copy).unwrap();
        let copied: i64 = Connection::open(&copy)
            .unwrap()
            .pragma_query_value(None, "user_version", |row| row.get(0))
            .unwrap();
        assert_eq!(copied, 7);
    }

    #[test]
    fn file_without_pointbook_tables_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let (source, target) = (folder.path().join("a.db"), folder.path().join("b.db"));
        for (content, words) in [("no database at all", "is not a SQLite database"), ("", "is empty")] {
            std::fs::write(&source, content).unwrap();
            let refused = back_up(&source, &target, &options()).unwrap_err().to_string();
            assert!(refused.contains(words) && refused.contains("a.db"), "{refused}");
            assert!(!target.exists());
        }
        std::fs::remove_file(&source).unwrap();
        Connection::open(&source).unwrap().execute_batch("CREATE TABLE t (a INTEGER) STRICT").unwrap();
        let refused = back_up(&source, &target, &options()).unwrap_err().to_string();
        assert!(refused.contains("another program"), "{refused}");
    }
}
