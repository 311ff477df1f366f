//! A copy of the whole database into a new file, made while other connections write.

use std::path::Path;

use crate::connection::{ReadMode, open_reader_as};
use crate::error::{OpenError, OpenFailure};
use crate::migrate;
use crate::options::SqliteOptions;
use crate::retry::while_busy;

/// Writes everything that was committed when the copy began into the file `target`, which is missing or empty. Writers go
/// on meanwhile; the write-ahead log of the source grows until the copy ends.
///
/// `VACUUM INTO` reads one snapshot in one transaction. The online backup interface of SQLite starts again after each
/// write of another process, so on a busy file it may never end; and it copies free pages too.
///
/// The file is not yet on the disk when this returns: the caller syncs it. Blocks the thread.
///
/// # Errors
/// [`OpenError`] names the source and says what is wrong: it is no database of pointbook, of a newer version, or damaged; or
/// the target cannot be written.
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
        .ok_or_else(|| OpenFailure::System(std::io::Error::other("the name of the target must be UTF-8")))?;
    connection.execute("VACUUM INTO ?1", [target])?;
    Ok(mode.check(source)?)
}

#[cfg(test)]
mod tests {
    use pointbook_domain::Timestamp;
    use rusqlite::Connection;

    use super::*;
    use crate::store::SqliteStore;

    fn options() -> SqliteOptions {
        SqliteOptions::new(Timestamp::MIN)
    }

    #[test]
    fn a_copy_has_the_rows_of_an_open_file_and_is_one_file() {
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
        assert!(back_up(&source, &target, &options()).is_err(), "the target is no longer empty");
    }

    #[test]
    fn another_file_is_refused_by_its_name() {
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
