//! Files with data of people: for their owner alone, with any umask.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

pub const MODE: u32 = 0o600;

/// Creates a file in place of the one with this name. The old file is removed, not written to: it may be a link, or the
/// file of another user, who could read what is written.
pub fn replace(path: &Path) -> io::Result<File> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => create_new(path),
    }
}

/// Refuses a name that exists, also as a link.
pub fn create_new(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).mode(MODE).open(path)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    #[test]
    fn a_replaced_file_is_new_and_private_and_what_a_link_leads_to_stays() {
        let folder = tempfile::tempdir().unwrap();
        let (path, other) = (folder.path().join("a"), folder.path().join("b"));
        fs::write(&other, "kept").unwrap();
        symlink(&other, &path).unwrap();
        for _ in 0..2 {
            drop(replace(&path).unwrap());
            let made = path.symlink_metadata().unwrap();
            assert!(made.is_file() && made.permissions().mode() & 0o777 == MODE, "{made:?}");
            fs::set_permissions(&path, PermissionsExt::from_mode(0o644)).unwrap();
        }
        assert_eq!(fs::read_to_string(&other).unwrap(), "kept");
        assert!(replace(folder.path()).is_err());
    }
}
