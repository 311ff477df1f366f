//! `cargo xtask openapi`: writes the description of the interface into the file that others read it from.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use pointbook_operate::root;

use crate::check::cargo;

/// The program, asked for what it says of itself.
const PRINT: &[&str] =
    &["run", "--quiet", "--locked", "--package", "pointbook-server", "--bin", "pointbook", "--", "openapi"];

/// Writes the file anew.
///
/// # Errors
/// When the program cannot be built or the file not be written.
pub(crate) fn command(_arguments: &[String]) -> Result<()> {
    let path = path();
    fs::write(&path, generated()?).with_context(|| format!("cannot write {}", path.display()))
}

/// Fails when the file is not what the code says.
pub(crate) fn is_up_to_date() -> Result<()> {
    let path = path();
    let kept = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
    ensure!(kept == generated()?, "openapi.json is out of date: run `cargo xtask openapi`");
    Ok(())
}

fn path() -> PathBuf {
    root::repository().join("openapi.json")
}

fn generated() -> Result<Vec<u8>> {
    let output = cargo(PRINT).output().context("cannot run cargo")?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Ok(output.stdout)
}
