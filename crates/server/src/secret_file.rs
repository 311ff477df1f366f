//! Secrets that stand alone in a file: a URL with a password, a token.

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::commands::Failure;

/// The longest secret file that is read, in bytes.
const MAX_BYTES: u64 = 64 * 1024;

/// The bit of a file's mode that lets every user of the machine read it.
const OTHERS_READ: u32 = 0o004;

/// Reads a file without the line ends at its end. `option` is what names the file.
///
/// # Errors
/// [`Failure`] names the option and the file.
pub(crate) fn read(option: &str, path: &Path) -> Result<String, Failure> {
    let refused =
        |problem: &str| Failure::input(format!("{option}: cannot read {}: {problem}", path.display()));
    let bytes = beginning(path).map_err(|error| refused(&error.to_string()))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(refused(&format!("it has more than {MAX_BYTES} bytes")));
    }
    let mut text = String::from_utf8(bytes).map_err(|_| refused("it is not UTF-8"))?;
    text.truncate(text.trim_end_matches(['\n', '\r']).len());
    if text.is_empty() { Err(refused("it is empty")) } else { Ok(text) }
}

/// A byte more than may be read, where there is one: a pipe does not say how long it is.
fn beginning(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// What to tell people about a secret file that everybody can read. It names the file by its absolute path.
pub(crate) fn warning(path: &Path) -> Option<String> {
    let mode = path.metadata().ok().filter(std::fs::Metadata::is_file)?.permissions().mode();
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    (mode & OTHERS_READ != 0).then(|| {
        format!(
            "warning: every user of this machine can read {0}, which holds a secret: run chmod 600 {0}",
            path.display()
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_after_the_secret_are_no_part_of_it() {
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
    fn a_file_that_does_not_say_how_long_it_is_is_read_up_to_the_bound() {
        let refused = read("--x", Path::new("/dev/zero")).unwrap_err();
        assert_eq!(refused.messages, ["--x: cannot read /dev/zero: it has more than 65536 bytes"]);
    }

    #[test]
    fn a_file_that_everybody_can_read_is_warned_of() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secret");
        std::fs::write(&path, "a").unwrap();
        for (mode, warns) in [(0o644, true), (0o640, false), (0o600, false)] {
            std::fs::set_permissions(&path, PermissionsExt::from_mode(mode)).unwrap();
            assert_eq!(warning(&path).is_some(), warns, "{mode:o}");
        }
    }
}
