//! The text files of the repository.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Folders of tools, which hold no file of ours.
const SKIPPED: [&str; 5] = ["target", "node_modules", ".git", ".hypothesis", ".schemathesis"];

/// The folder of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every text file with this ending below a folder, by its path from the root of the repository.
pub(crate) fn files(folder: &str, ending: &str) -> BTreeMap<String, String> {
    let (mut files, mut folders) = (BTreeMap::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root().join(&folder)).unwrap().map(Result::unwrap) {
            let name = entry.file_name().into_string().unwrap();
            let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
            if entry.file_type().unwrap().is_dir() {
                folders.extend((!SKIPPED.contains(&name.as_str())).then_some(path));
            } else if name.ends_with(ending)
                && let Ok(text) = fs::read_to_string(entry.path())
            {
                files.insert(path, text);
            }
        }
    }
    assert!(!files.is_empty(), "no file of {folder:?} ends in {ending:?}");
    files
}
