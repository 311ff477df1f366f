//! Unpacks an archive and runs its program.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, ensure};
use xtask::operate::http_client;
use xtask::operate::pointbook::Pointbook;

use super::target::Target;
use super::{VERSION, files, printed};
use crate::check::{Skipped, quietly};

/// Unpacks the archive and checks the program's version. A program for this machine's processor also serves the demo. QEMU
/// runs another one where it is installed.
pub(super) fn run(target: &Target, host: &Target, archive: &Path, name: &str) -> Result<Skipped> {
    let folder = tempfile::tempdir()?;
    let mut tar = Command::new("tar");
    tar.arg("--extract").arg("--file").arg(archive).arg("--directory").arg(folder.path());
    quietly(tar)?;
    let program = folder.path().join(name).join("pointbook");
    let path = program.to_string_lossy();
    let architecture = target.architecture();
    if architecture == host.architecture() {
        is_of_this_version(&printed(&path, &["--version"])?)?;
        return serves_the_demo(&program, folder.path());
    }
    let emulator = format!("qemu-{architecture}-static");
    if let Some(missing) = files::missing((&emulator, "apt-get install qemu-user-static")) {
        return Ok(vec![format!("the program was not tested, {missing}")]);
    }
    // Debian installs the C library of another processor there.
    let library = format!("/usr/{architecture}-linux-gnu");
    is_of_this_version(&printed(&emulator, &["-L", &library, &path, "--version"])?)
}

fn is_of_this_version(told: &str) -> Result<Skipped> {
    let wanted = format!("pointbook {VERSION}");
    ensure!(told.trim() == wanted, "the unpacked program says {told:?}, expected {wanted:?}");
    Ok(Skipped::new())
}

fn serves_the_demo(program: &Path, folder: &Path) -> Result<Skipped> {
    let demo = Pointbook::of(program.to_owned(), &folder.join("demo.db")).serve_as("demo", &[])?;
    demo.first_answer()?;
    let products = http_client::get(demo.address, "/acme/api/v1/store/products", "demo-ben")?;
    let products = String::from_utf8_lossy(&products.bytes);
    ensure!(products.contains("\"sku\""), "the demo's store has no products: {products}");
    Ok(Skipped::new())
}
