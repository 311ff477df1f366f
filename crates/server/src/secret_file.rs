//! Files that contain one secret: a URL with a password, or a token.

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::Failure;

/// The maximum size of a secret file, in bytes.
const MAX_BYTES: u64 = 64 * 1024;

/// Reads a file and removes line ends at its end. The failure names the option that gave the file.
pub(crate) fn read(option: &str, path: &Path) -> Result<String, Failure> {
    let refused = |problem: &str| Failure::input(format!("{option}: {problem}"));
    let mut text = read_text(path, MAX_BYTES).map_err(|problem| refused(&problem))?;
    text.truncate(text.trim_end_matches(['\n', '\r']).len());
    if text.is_empty() {
        return Err(refused(&format!("cannot read {}: it is empty", path.display())));
    }
    Ok(text)
}

/// Reads a UTF-8 file of at most `max_bytes`. Counts while reading, because the size of a pipe is unknown.
pub(crate) fn read_text(path: &Path, max_bytes: u64) -> Result<String, String> {
    let refused = |problem: &str| format!("cannot read {}: {problem}", path.display());
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(max_bytes + 1).read_to_end(&mut bytes))
        .map_err(|error| refused(&error.to_string()))?;
    if bytes.len() as u64 > max_bytes {
        return Err(refused(&format!("it has more than {max_bytes} bytes")));
    }
    String::from_utf8(bytes).map_err(|_| refused("it is not UTF-8"))
}

/// What may do harm, and how to end it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Warning {
    pub(crate) message: String,
    pub(crate) advice: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "warning: {}: {}", self.message, self.advice)
    }
}

/// Returns a warning with the absolute path when every user of the machine can read the file.
pub(crate) fn warning(path: &Path) -> Option<Warning> {
    const OTHERS_READ: u32 = 0o004;
    let mode = path.metadata().ok().filter(std::fs::Metadata::is_file)?.permissions().mode();
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let path = path.display();
    (mode & OTHERS_READ != 0).then(|| Warning {
        message: format!("every user of this machine can read {path}, which contains a secret"),
        advice: format!("run chmod 600 {path}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_after_the_secret_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secret");
        for (content, secret) in [("a b\r\n\n", "a b"), (" a", " a")] {
            std::fs::write(&path, content).unwrap();
            assert_eq!(read("--x", &path).unwrap(), secret);
        }
        std::fs::write(&path, "\n").unwrap();
        assert!(read("--x", &path).unwrap_err().messages[0].starts_with("--x: cannot read /"));
    }

    #[test]
    fn file_of_unknown_size_is_read_up_to_the_maximum() {
        let refused = read("--x", Path::new("/dev/zero")).unwrap_err();
        assert_eq!(refused.messages, ["--x: cannot read /dev/zero: it has more than 65536 bytes"]);
    }

    #[test]
    fn file_that_all_users_can_read_gives_a_warning() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secret");
        std::fs::write(&path, "a").unwrap();
        for (mode, warns) in [(0o644, true), (0o640, false), (0o600, false)] {
            std::fs::set_permissions(&path, PermissionsExt::from_mode(mode)).unwrap();
            assert_eq!(warning(&path).is_some(), warns, "{mode:o}");
        }
    }
}
