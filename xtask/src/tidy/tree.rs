//! The text files of the repository, read once and shared by every rule.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::source::Source;

/// Every text file that git tracks or would add, by its path from the root, in the order of the paths.
pub(crate) struct Tree {
    files: BTreeMap<String, String>,
    /// The paths of pictures and other binary files.
    binaries: BTreeSet<String>,
    sources: Vec<Source>,
}

impl Tree {
    /// Reads the repository at `root`, without files that git ignores (builds, databases).
    pub(crate) fn load(root: &Path) -> Result<Self> {
        let (mut files, mut binaries) = (BTreeMap::new(), BTreeSet::new());
        for path in listed_by_git(root)? {
            match fs::read_to_string(root.join(&path)) {
                Ok(text) => drop(files.insert(path, text)),
                Err(error) if error.kind() == ErrorKind::InvalidData => drop(binaries.insert(path)),
                // A deleted file that is not committed yet.
                Err(_) => {}
            }
        }
        Ok(Self { binaries, ..Self::new(files) })
    }

    fn new(files: BTreeMap<String, String>) -> Self {
        let rust = files.iter().filter(|(path, _)| has_extension(path, "rs"));
        let sources = rust.map(|(path, text)| Source::new(path, text)).collect();
        Self { files, binaries: BTreeSet::new(), sources }
    }

    /// The Rust files, split into code, comments and literals.
    pub(crate) fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// Every file as path and text.
    pub(crate) fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().map(|(path, text)| (path.as_str(), text.as_str()))
    }

    /// The files whose name ends in `.extension`.
    pub(crate) fn with_extension(&self, extension: &'static str) -> impl Iterator<Item = (&str, &str)> {
        self.files().filter(move |(path, _)| has_extension(path, extension))
    }

    /// The files anywhere below a folder, given without its closing slash.
    pub(crate) fn below(&self, folder: &str) -> impl Iterator<Item = (&str, &str)> {
        self.files().filter(move |(path, _)| is_below(path, folder))
    }

    /// The text of one file.
    pub(crate) fn text(&self, path: &str) -> Option<&str> {
        self.files.get(path).map(String::as_str)
    }

    /// Whether a path is of a picture or another binary file.
    pub(crate) fn has_binary(&self, path: &str) -> bool {
        self.binaries.contains(path)
    }

    /// The folders directly below `crates/` that hold a `Cargo.toml`.
    pub(crate) fn crate_folders(&self) -> impl Iterator<Item = &str> {
        let manifests = self.files().filter_map(|(path, _)| path.strip_suffix("/Cargo.toml"));
        manifests.filter(|folder| folder.starts_with("crates/"))
    }
}

/// Whether `path` lies in `folder` or deeper.
pub(crate) fn is_below(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

fn has_extension(path: &str, extension: &str) -> bool {
    Path::new(path).extension().is_some_and(|found| found == extension)
}

fn listed_by_git(root: &Path) -> Result<Vec<String>> {
    // A build server may check a clone that another user owns, which git otherwise refuses to read.
    let listing = ["-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    let output = Command::new("git").args(listing).current_dir(root).output().context("cannot run git")?;
    ensure!(output.status.success(), "git ls-files: {}", String::from_utf8_lossy(&output.stderr).trim());
    let paths = String::from_utf8(output.stdout).context("a file name is not UTF-8")?;
    Ok(paths.split_terminator('\0').map(str::to_owned).collect())
}

#[cfg(test)]
impl Tree {
    /// A tree of files that exist in memory only.
    pub(crate) fn of(files: &[(&str, &str)]) -> Self {
        Self::new(files.iter().map(|&(path, text)| (path.to_owned(), text.to_owned())).collect())
    }
}
