//! Files with personal data. Only their owner can read them, with any umask.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

pub const MODE: u32 = 0o600;

/// Creates a file and removes an old one with this name. Writing to the old file is unsafe: it may be a link, or a file
/// that another user can read.
pub fn replace(path: &Path) -> io::Result<File> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => create_new(path),
    }
}

/// Creates a file. Fails when the name exists, even as a symbolic link.
pub fn create_new(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).mode(MODE).open(path)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    #[test]
    fn replaced_file_is_new_and_private_and_link_target_stays() {
        let folder = tempfile::tempdir().unwrap();
        let (path, other) = (folder.path().join("a"), folder.path().join("b"));
        fs::write(&other, "kept").unwrap();
        symlink(&other, &path).unwrap();
        for _ in 0..2 {
            drop(replace(&path).unwrap());
            let created = path.symlink_metadata().unwrap();
            assert!(created.is_file() && created.permissions().mode() & 0o777 == MODE, "{created:?}");
            fs::set_permissions(&path, PermissionsExt::from_mode(0o644)).unwrap();
        }
        assert_eq!(fs::read_to_string(&other).unwrap(), "kept");
        assert!(replace(folder.path()).is_err());
    }
}
