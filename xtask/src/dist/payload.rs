//! The files of every package besides the program: manual pages, completions, documents.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use pointbook_operate::root;

use super::notices;
use super::packages::Packages;
use crate::check::quietly;

/// Documents of the repository that are in every archive.
pub(super) const DOCUMENTS: &[&str] = &["README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"];

/// The file with the licences of dependencies.
pub(super) const NOTICES: &str = "THIRD-PARTY-NOTICES.txt";

/// Each shell with the name of its completion file for `pointbook`.
pub(super) const COMPLETIONS: &[(&str, &str)] =
    &[("bash", "pointbook"), ("zsh", "_pointbook"), ("fish", "pointbook.fish")];

/// A folder with `man/man1`, `completions/SHELL`, and the documents.
pub(super) struct Payload {
    pub(super) folder: PathBuf,
}

impl Payload {
    /// A payload that was written before.
    pub(super) fn of(folder: &Path) -> Self {
        Self { folder: folder.to_owned() }
    }

    /// Runs the program of this machine, which writes its manual pages and completions.
    pub(super) fn write(binary: &Path, packages: &Packages, folder: &Path) -> Result<Self> {
        let pages = folder.join("man/man1");
        fs::create_dir_all(&pages)?;
        let mut man = Command::new(binary);
        man.args(["man", "--dir"]).arg(&pages);
        quietly(man)?;
        for (shell, name) in COMPLETIONS {
            let output = Command::new(binary).args(["completions", shell]).output()?;
            ensure!(output.status.success(), "pointbook completions {shell}: {}", output.status);
            let shell_folder = folder.join("completions").join(shell);
            fs::create_dir_all(&shell_folder)?;
            fs::write(shell_folder.join(name), output.stdout)?;
        }
        for name in DOCUMENTS {
            let from = root::repository().join(name);
            fs::copy(&from, folder.join(name)).with_context(|| format!("cannot copy {}", from.display()))?;
        }
        fs::write(folder.join(NOTICES), notices::text(packages)?)?;
        Ok(Self::of(folder))
    }

    /// Copies everything into another folder.
    pub(super) fn copy_into(&self, folder: &Path) -> Result<()> {
        let mut copy = Command::new("cp");
        copy.arg("--recursive").arg(self.folder.join(".")).arg(folder);
        quietly(copy).map(drop)
    }
}
