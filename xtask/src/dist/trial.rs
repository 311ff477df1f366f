//! The archive of this machine is unpacked, and its program serves the demo.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use pointbook_operate::http_client;
use pointbook_operate::pointbook::Pointbook;

use super::{VERSION, archive, target};
use crate::check::quietly;

/// What must be there after unpacking, beside the program.
const FILES: &[&str] = &[
    "README.md",
    "LICENSE-MIT",
    "LICENSE-APACHE",
    "THIRD-PARTY-NOTICES.txt",
    "man/man1/pointbook.1",
    "man/man1/pointbook-tenant-add.1",
    "completions/bash/pointbook",
    "completions/zsh/_pointbook",
    "completions/fish/pointbook.fish",
];

/// Unpacks, asks for the version, and gets one page of the demo's store.
pub(super) fn run(packed: &Path) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let mut tar = Command::new("tar");
    tar.arg("--extract").arg("--file").arg(packed).arg("--directory").arg(folder.path());
    quietly(tar)?;
    let inside = folder.path().join(archive::name(&target::host()?));
    let absent: Vec<&str> = FILES.iter().copied().filter(|file| !inside.join(file).is_file()).collect();
    ensure!(absent.is_empty(), "{} lacks {}", packed.display(), absent.join(", "));
    let program = inside.join("pointbook");
    let told = Command::new(&program).arg("--version").output().context("cannot run the unpacked program")?;
    let told = String::from_utf8_lossy(&told.stdout).trim().to_owned();
    ensure!(
        told == format!("pointbook {VERSION}"),
        "the unpacked program says {told:?}, not version {VERSION}"
    );
    let demo = Pointbook::of(program, &folder.path().join("demo.db")).serve_as("demo", &[])?;
    demo.first_answer()?;
    let products = http_client::get(demo.address, "/acme/api/v1/store/products", "demo-ben")?;
    let products = String::from_utf8_lossy(&products.bytes);
    ensure!(products.contains("\"sku\""), "the demo's store has no products: {products}");
    Ok(())
}
