//! The file of a SQLite database, before it is opened.

use std::fs::{self, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

use rustix::process::geteuid;

use crate::Failure;
use crate::private_file::MODE;

/// Creates a missing file with mode 0600. Makes an empty file private, because it is about to become a database. SQLite
/// gives its logs the same mode. Returns whether the file was missing or empty.
pub(crate) fn create(path: &Path) -> Result<bool, Failure> {
    let created = match path.metadata() {
        Ok(file) if file.is_file() && file.len() == 0 => {
            return make_private(path, &file).map(|()| true);
        }
        Ok(_) => Ok(false),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            OpenOptions::new().append(true).create(true).mode(MODE).open(path).map(|_| true)
        }
        Err(error) => Err(error),
    };
    created.map_err(|error| {
        Failure::file(&format!("cannot create the database sqlite:{}", path.display()), &error, &error)
    })
}

/// Refuses an empty file of another user: its owner could always read what is written.
fn make_private(path: &Path, file: &fs::Metadata) -> Result<(), Failure> {
    const NOT_OWNER: u32 = 0o077;
    let name = path.display();
    if file.uid() != geteuid().as_raw() {
        return Err(Failure::input(format!(
            "sqlite:{name} is an empty file that another user owns: remove it, or choose another file"
        )));
    }
    if file.permissions().mode() & NOT_OWNER == 0 {
        return Ok(());
    }
    fs::set_permissions(path, Permissions::from_mode(MODE)).map_err(|error| {
        Failure::input(format!(
            "sqlite:{name} is an empty file that other users can open, and chmod 600 failed ({error}): remove it, or \
             choose another file"
        ))
    })
}

/// Refuses a file that is missing or empty.
pub(crate) fn expect(path: &Path) -> Result<(), Failure> {
    let name = path.display();
    match path.metadata() {
        Ok(file) if file.is_file() && file.len() == 0 => Err(empty(path)),
        Ok(_) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(Failure::input(format!(
            "the database sqlite:{name} does not exist: check --database and POINTBOOK_DATABASE, or create it with \
             `pointbook tenant add` or `pointbook migrate`"
        ))),
        Err(error) => Err(Failure::file(&format!("cannot open sqlite:{name}"), &error, &error)),
    }
}

/// The failure for a file without tables.
pub(crate) fn empty(path: &Path) -> Failure {
    Failure::input(format!(
        "sqlite:{} is empty: check --database and POINTBOOK_DATABASE, or create the tables with `pointbook migrate`",
        path.display()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(path: &Path) -> u32 {
        path.metadata().unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn new_file_has_mode_0600() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new.db");
        assert_eq!(create(&path), Ok(true));
        assert_eq!(mode(&path), 0o600);
        fs::write(&path, "content").unwrap();
        assert_eq!(create(&path), Ok(false));
    }

    #[test]
    fn empty_file_becomes_private_and_database_keeps_its_mode() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("empty.db");
        fs::write(&path, "").unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o644)).unwrap();
        assert_eq!(create(&path), Ok(true));
        assert_eq!(mode(&path), 0o600);
        fs::write(&path, "content").unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
        assert_eq!(create(&path), Ok(false));
        assert_eq!(mode(&path), 0o640);
    }
}
