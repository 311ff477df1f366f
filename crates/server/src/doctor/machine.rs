//! Checks the file of a SQLite database: its permissions, and the free space on its disk.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use rustix::fs::{Access, access, statvfs};

use super::Finding;
use crate::wiring::DatabaseUrl;

/// Less free space is a problem: writes fail soon.
const NEEDED_BYTES: u64 = 100 << 20;

/// Less free space is a warning.
const WANTED_BYTES: u64 = 1 << 30;

const MEBIBYTE: u64 = 1 << 20;

/// Returns no findings for PostgreSQL, whose disk may be on another machine.
pub(crate) fn examine_machine(url: &DatabaseUrl) -> Vec<Finding> {
    let DatabaseUrl::Sqlite(path) = url else { return Vec::new() };
    let mut findings = file(path);
    findings.extend(disk(path.parent().unwrap_or(path)));
    findings
}

fn file(path: &Path) -> Vec<Finding> {
    const OTHERS: u32 = 0o077;
    // The check of the database reports a missing file.
    let Ok(metadata) = path.metadata() else { return Vec::new() };
    let (name, mode) = (path.display(), metadata.permissions().mode() & 0o777);
    let mut findings = Vec::new();
    if mode & OTHERS == 0 {
        findings.push(Finding::fine("file rights", format!("only the owner can open {name}")));
    } else {
        let message = format!("other users can open {name} (mode {mode:o})");
        findings.push(Finding::warning("file rights", message, format!("run chmod 600 {name}")));
    }
    if access(path, Access::READ_OK | Access::WRITE_OK).is_err() {
        findings.push(Finding::warning(
            "file rights",
            format!("this user cannot read and write {name}"),
            "run the command as the user that runs the service; that user must own the file",
        ));
    }
    findings
}

fn disk(folder: &Path) -> Option<Finding> {
    let found = statvfs(folder).ok()?;
    let free = found.f_bavail.saturating_mul(found.f_frsize);
    let message = format!("{} MiB are free in {}", free / MEBIBYTE, folder.display());
    let advice = "free some space: the database and its log grow in this folder";
    Some(match free {
        ..NEEDED_BYTES => Finding::problem("disk", message, advice),
        NEEDED_BYTES..WANTED_BYTES => Finding::warning("disk", message, advice),
        WANTED_BYTES.. => Finding::fine("disk", message),
    })
}

#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};

    use super::*;
    use crate::doctor::State;

    #[test]
    fn file_that_others_can_open_is_a_warning_with_advice() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("p.db");
        fs::write(&path, "content").unwrap();
        for (mode, state) in [(0o600, State::Fine), (0o644, State::Warning), (0o660, State::Warning)] {
            fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
            let findings = file(&path);
            assert_eq!(findings[0].state, state, "{mode:o}");
            assert_eq!(findings[0].advice.contains("chmod 600"), state == State::Warning);
        }
        assert_eq!(file(&folder.path().join("missing.db")), []);
    }

    #[test]
    fn free_disk_space_is_reported() {
        let folder = tempfile::tempdir().unwrap();
        let found = disk(folder.path()).unwrap();
        assert!(found.message.contains(" MiB are free in /"), "{found:?}");
        assert_eq!(disk(Path::new("/no/such/folder")), None);
    }
}
