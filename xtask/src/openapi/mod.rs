//! `cargo xtask openapi`: writes the OpenAPI document, and the collection of requests generated from it.

mod collection;

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use xtask::operate::root;

use crate::check::{Skipped, build_binary};
use crate::demo::program;

/// The path of the OpenAPI document.
const DOCUMENT: &str = "openapi.json";

/// The path of the collection of requests.
const COLLECTION: &str = "clients/pointbook.http";

/// Writes both files.
///
/// # Errors
/// When the program cannot be built, or a file cannot be written.
pub(crate) fn command(_arguments: &[String]) -> Result<()> {
    for (name, text) in generated()? {
        let path = path(name);
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

/// Fails when a file differs from the generated one.
///
/// # Errors
/// Names the file, and the command that writes it.
pub(crate) fn is_up_to_date() -> Result<Skipped> {
    for (name, text) in generated()? {
        let path = path(name);
        let kept = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        ensure!(kept == text, "{name} is out of date: run `cargo xtask openapi`");
    }
    Ok(Skipped::new())
}

fn path(name: &str) -> PathBuf {
    root::repository().join(name)
}

/// Each file with its text.
fn generated() -> Result<[(&'static str, Vec<u8>); 2]> {
    build_binary()?;
    let program = program()?;
    let output = Command::new(&program).arg("openapi").output();
    let output = output.with_context(|| format!("cannot run {}", program.display()))?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let collection = collection::of(&serde_json::from_slice(&output.stdout)?)?;
    Ok([(DOCUMENT, output.stdout), (COLLECTION, collection.into_bytes())])
}
