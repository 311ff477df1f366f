//! Checks the key file: whether a server could use it, and who can read it.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::Finding;
use crate::key_file;

const CHECK: &str = "key file";

/// Returns no finding when no key file is configured.
pub(crate) fn examine_key_file(path: &Path) -> Option<Finding> {
    if path.as_os_str().is_empty() {
        return None;
    }
    let name = path.display();
    let keys = match key_file::read(path) {
        Ok(keys) => keys.iter().count(),
        Err(error) => {
            let advice = "restore the file from its copy; without its keys, sealed values are lost";
            return Some(Finding::problem(CHECK, error.0, advice));
        }
    };
    let fine = || Finding::fine(CHECK, format!("{name} has {keys} master keys"));
    Some(open_to_others(CHECK, path).unwrap_or_else(fine))
}

/// A warning when other users can open a file with a secret.
pub(super) fn open_to_others(check: &'static str, path: &Path) -> Option<Finding> {
    const OTHERS: u32 = 0o077;
    let mode = path.metadata().map_or(0, |file| file.permissions().mode() & 0o777);
    (mode & OTHERS != 0).then(|| {
        let name = path.display();
        let message = format!("other users can open {name} (mode {mode:o})");
        Finding::warning(check, message, format!("run chmod 600 {name}"))
    })
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::fs::Permissions;

    use pointbook_store::Clock as _;

    use super::*;
    use crate::doctor::State;
    use crate::sources::SystemClock;

    #[test]
    fn key_file_is_fine_open_to_others_or_unusable() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keys");
        let state = || examine_key_file(&path).map(|finding| finding.state);
        assert_eq!(state(), Some(State::Problem));
        key_file::create(&path, &key_file::new_key(SystemClock.now())).unwrap();
        assert_eq!(state(), Some(State::Fine));
        fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
        assert_eq!(state(), Some(State::Warning));
        fs::write(&path, "").unwrap();
        assert_eq!(state(), Some(State::Problem));
        assert_eq!(examine_key_file(Path::new("")), None);
    }
}
