//! `cargo xtask openapi`: writes what follows from the code: the OpenAPI document, the collection of requests, and tables of documents.

mod collection;
mod tables;

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use xtask::operate::root;

use crate::check::{Skipped, build_binary};
use crate::demo::program;
use crate::tools::target;

/// The path of the OpenAPI document.
const DOCUMENT: &str = "openapi.json";

/// The path of the collection of requests.
const COLLECTION: &str = "clients/pointbook.http";

/// Writes all files.
///
/// # Errors
/// When the program cannot be built, or a file cannot be written.
pub(crate) fn command(_arguments: &[String]) -> Result<()> {
    for (path, text) in generated()? {
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

/// Fails when files differ from the generated ones.
///
/// # Errors
/// Names the files, and the command that writes them.
pub(crate) fn is_up_to_date() -> Result<Skipped> {
    let mut stale = Vec::new();
    for (path, text) in generated()? {
        let kept = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        if kept != text {
            stale.push(path.strip_prefix(root::repository())?.display().to_string());
        }
    }
    ensure!(stale.is_empty(), "out of date: {}; run `cargo xtask openapi`", stale.join(", "));
    Ok(Skipped::new())
}

/// Each file with its text.
fn generated() -> Result<Vec<(PathBuf, Vec<u8>)>> {
    build_binary()?;
    let document = output(Command::new(program()?).arg("openapi"))?;
    let collection = collection::of(&serde_json::from_slice(&document)?)?;
    let tables = output(&mut Command::new(target()?.join("debug/examples/tables")))?;
    let mut files = tables::fill(&root::repository().join("docs"), &serde_json::from_slice(&tables)?)?;
    files.push((root::repository().join(DOCUMENT), document));
    files.push((root::repository().join(COLLECTION), collection.into_bytes()));
    Ok(files)
}

fn output(command: &mut Command) -> Result<Vec<u8>> {
    let output = command.output().with_context(|| format!("cannot run {command:?}"))?;
    ensure!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    Ok(output.stdout)
}
