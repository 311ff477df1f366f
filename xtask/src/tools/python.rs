//! Packages for Python, in a virtual environment.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::{Tools, emptied, is_current, note};
use crate::check::quietly;

/// Creates the environment unless it is current.
pub(super) fn install(tools: &Tools, wanted: &Path) -> Result<()> {
    let folder = &tools.environment;
    if is_current(folder, wanted) {
        return Ok(());
    }
    emptied(folder)?;
    let mut python = Command::new("python3");
    python.args(["-m", "venv"]).arg(folder);
    quietly(python)?;
    let mut pip = tools.python("pip");
    pip.args(["install", "--quiet", "--disable-pip-version-check", "--no-deps", "--requirement"]).arg(wanted);
    quietly(pip)?;
    note(folder, wanted)
}

/// The folder of an environment's packages. Its path contains the version of Python.
pub(super) fn packages(environment: &Path) -> Result<PathBuf> {
    let entries = fs::read_dir(environment.join("lib")).context("the Python environment is missing")?;
    let mut folders = entries.flatten().map(|entry| entry.path().join("site-packages"));
    folders.find(|folder| folder.is_dir()).context("the Python environment has no packages")
}
