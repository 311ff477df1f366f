//! The key file: reads it, creates it, and adds a key to it.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::{MetadataExt, fchown};
use std::path::{Path, PathBuf};
use std::{fs, io};

use pointbook_domain::Timestamp;
use pointbook_store::SecretSource;
use pointbook_store::keyring::{MasterKey, MasterKeyId, MasterKeys, Zeroizing};
use pointbook_store::sources::KeyFileError;

use crate::sources::OsSecrets;
use crate::{Failure, private_file, secret_file};

/// The largest key file, in bytes: about 500 keys.
const MAX_BYTES: u64 = 64 * 1024;

/// Random bytes of the system, and the master keys of a file.
#[derive(Debug, Clone)]
pub(crate) struct KeyFileSecrets(pub(crate) PathBuf);

impl SecretSource for KeyFileSecrets {
    fn secret(&self) -> [u8; 32] {
        OsSecrets.secret()
    }

    fn master_keys(&self) -> Result<Option<MasterKeys>, KeyFileError> {
        read(&self.0).map(Some)
    }
}

/// Reads a key file.
///
/// # Errors
/// [`KeyFileError`] names the file and the line, and shows no key.
pub(crate) fn read(path: &Path) -> Result<MasterKeys, KeyFileError> {
    parse(path, &read_text(path)?)
}

fn read_text(path: &Path) -> Result<Zeroizing<String>, KeyFileError> {
    secret_file::read_text(path, MAX_BYTES).map(Zeroizing::new).map_err(KeyFileError)
}

fn parse(path: &Path, text: &str) -> Result<MasterKeys, KeyFileError> {
    MasterKeys::parse(text)
        .map_err(|problem| KeyFileError(format!("the key file {} is invalid: {problem}", path.display())))
}

/// A random key. Its id is the day and 32 random bits, such as `2026-11-24-0a1b2c3d`.
pub(crate) fn new_key(now: Timestamp) -> MasterKey {
    let [a, b, c, d, ..] = OsSecrets.secret();
    let id = MasterKeyId::new(&format!("{}-{a:02x}{b:02x}{c:02x}{d:02x}", now.day()));
    let id = id.unwrap_or_else(|| unreachable!("a day and 8 digits are an id"));
    MasterKey::new(id, OsSecrets.secret())
}

/// Creates a key file with this key, readable by its owner alone.
///
/// # Errors
/// When the name exists: a key file is never overwritten.
pub(crate) fn create(path: &Path, key: &MasterKey) -> Result<(), Failure> {
    let written = private_file::create_new(path).and_then(|file| {
        write_all(&file, &MasterKeys::new_file(key)).inspect_err(|_| drop(fs::remove_file(path)))
    });
    written.and_then(|()| sync_folder(path)).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => Failure::input(format!(
            "{} exists already: choose another name, or add a key with `pointbook keyring rotate`",
            path.display()
        )),
        _ => Failure::file(&format!("cannot create the key file {}", path.display()), &error, &error),
    })
}

/// Adds a key that seals from now on. The file has either its old or its new content at any moment. Returns `false`, and adds
/// nothing, when another key than `seen` seals meanwhile, because another process has added one.
///
/// # Errors
/// When the file is invalid or cannot be replaced.
pub(crate) fn add(path: &Path, seen: &MasterKeyId, key: &MasterKey) -> Result<bool, Failure> {
    let failed = |error: io::Error| {
        Failure::file(&format!("cannot add a key to the key file {}", path.display()), &error, &error)
    };
    // The target of a link is replaced, not the link.
    let path = path.canonicalize().map_err(failed)?;
    let old = lock(&path).map_err(failed)?;
    let text = read_text(&path).map_err(invalid)?;
    if parse(&path, &text).map_err(invalid)?.sealing().id() != seen {
        return Ok(false);
    }
    let text = MasterKeys::add_to(&text, key);
    parse(&path, &text).map_err(invalid)?;
    replace(&path, &old, &text).map_err(failed)?;
    Ok(true)
}

/// The failure for a key file that cannot be used.
pub(crate) fn invalid(error: KeyFileError) -> Failure {
    Failure::input(error.0)
}

/// Waits until no other process adds a key. The lock ends with the returned file.
fn lock(path: &Path) -> io::Result<File> {
    loop {
        let file = OpenOptions::new().read(true).write(true).open(path)?;
        file.lock()?;
        // The process that had the lock may have replaced the file.
        let (locked, named) = (file.metadata()?, path.metadata()?);
        if (locked.dev(), locked.ino()) == (named.dev(), named.ino()) {
            return Ok(file);
        }
    }
}

/// Replaces a file by one with the same owner and mode. The new content is on the disk before it gets the name.
fn replace(path: &Path, old: &File, text: &str) -> io::Result<()> {
    let mut name = path.as_os_str().to_owned();
    name.push(".new");
    let (new_path, old) = (PathBuf::from(name), old.metadata()?);
    let file = private_file::replace(&new_path)?;
    let filled = fill(&file, &old, text).and_then(|()| fs::rename(&new_path, path));
    filled.inspect_err(|_| drop(fs::remove_file(&new_path)))?;
    sync_folder(path)
}

/// Gives a file the owner and the mode of the old one, and this content.
fn fill(file: &File, old: &fs::Metadata, text: &str) -> io::Result<()> {
    let new = file.metadata()?;
    if (new.uid(), new.gid()) != (old.uid(), old.gid()) {
        fchown(file, Some(old.uid()), Some(old.gid()))?;
    }
    file.set_permissions(old.permissions())?;
    write_all(file, text)
}

fn write_all(mut file: &File, text: &str) -> io::Result<()> {
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

/// Makes a new name durable.
fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn key(id: &str, byte: u8) -> MasterKey {
        MasterKey::new(MasterKeyId::new(id).unwrap(), [byte; 32])
    }

    fn ids(path: &Path) -> Vec<String> {
        read(path).unwrap().iter().map(|key| key.id().to_string()).collect()
    }

    #[test]
    fn new_key_has_the_day_in_its_id() {
        let now = Timestamp::from_micros(1_795_478_400_000_000).unwrap();
        let (one, other) = (new_key(now), new_key(now));
        assert!(one.id().as_str().starts_with("2026-11-24-") && one.id().as_str().len() == 19, "{one:?}");
        assert_ne!(one.id(), other.id());
    }

    #[test]
    fn created_file_is_private_and_never_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keys");
        create(&path, &key("a", 1)).unwrap();
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        let refused = create(&path, &key("b", 2)).unwrap_err();
        assert!(refused.messages[0].contains("keys exists already"), "{refused:?}");
        assert_eq!(ids(&path), ["a"]);
    }

    #[test]
    fn key_is_added_only_after_the_seen_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keys");
        create(&path, &key("a", 1)).unwrap();
        let seen = key("a", 1).id().clone();
        assert_eq!(add(&path, &seen, &key("b", 2)), Ok(true));
        assert_eq!(add(&path, &seen, &key("c", 3)), Ok(false));
        assert_eq!(ids(&path), ["b", "a"]);
    }

    #[test]
    fn replaced_file_keeps_its_mode_and_its_link() {
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("keys"), folder.path().join("link"));
        create(&path, &key("a", 1)).unwrap();
        fs::set_permissions(&path, PermissionsExt::from_mode(0o640)).unwrap();
        symlink(&path, &link).unwrap();
        // An earlier process was killed before it renamed its file.
        fs::write(folder.path().join("keys.new"), "half a li").unwrap();
        assert_eq!(add(&link, key("a", 1).id(), &key("b", 2)), Ok(true));
        assert!(link.symlink_metadata().unwrap().is_symlink());
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o640);
        assert_eq!(ids(&path), ["b", "a"]);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn of_processes_that_add_a_key_at_once_one_adds_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keys");
        create(&path, &key("a", 0)).unwrap();
        let seen = key("a", 0).id().clone();
        let added: Vec<bool> = std::thread::scope(|scope| {
            let start = |number: u8| {
                let (path, seen) = (&path, &seen);
                scope.spawn(move || add(path, seen, &key(&format!("k{number}"), number)).unwrap())
            };
            let threads: Vec<_> = (1..=8).map(start).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert_eq!(added.iter().filter(|added| **added).count(), 1, "{added:?}");
        assert_eq!(ids(&path).len(), 2);
    }

    #[test]
    fn invalid_file_is_refused_with_its_name_and_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keys");
        fs::write(&path, "# x\nsecretsecretsecret\n").unwrap();
        let refused = read(&path).unwrap_err().0;
        let expected = "is invalid: line 2: a key is an id, a space and 32 bytes in base64";
        assert!(refused.contains(path.to_str().unwrap()) && refused.ends_with(expected), "{refused}");
        assert!(read(&folder.path().join("missing")).unwrap_err().0.starts_with("cannot read /"));
    }
}
