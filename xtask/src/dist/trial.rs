//! Unpacks an archive and runs its program.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use pointbook_operate::http_client;
use pointbook_operate::pointbook::Pointbook;

use super::target::Target;
use super::{VERSION, archive};
use crate::check::{Skipped, quietly};

/// The files that an archive must contain besides the program.
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

/// Unpacks the archive and checks the program's version. A program for this machine's processor also serves the demo. QEMU
/// runs another one where it is installed.
pub(super) fn run(target: &Target, host: &Target, packed: &Path) -> Result<Skipped> {
    let folder = tempfile::tempdir()?;
    let mut tar = Command::new("tar");
    tar.arg("--extract").arg("--file").arg(packed).arg("--directory").arg(folder.path());
    quietly(tar)?;
    let inside = folder.path().join(archive::name(target));
    let absent: Vec<&str> = FILES.iter().copied().filter(|file| !inside.join(file).is_file()).collect();
    ensure!(absent.is_empty(), "{} lacks {}", packed.display(), absent.join(", "));
    let program = inside.join("pointbook");
    if target.architecture() == host.architecture() {
        is_of_this_version(&mut Command::new(&program))?;
        return serves(program).map(|()| Skipped::new());
    }
    let mut emulator = Command::new(format!("qemu-{}-static", target.architecture()));
    if emulator.arg("--version").output().is_err() {
        return Ok(vec![format!("{} was not tested: apt-get install qemu-user-static", target.triple)]);
    }
    let mut emulator = Command::new(emulator.get_program());
    // Debian installs the C library of another processor there.
    emulator.arg("-L").arg(format!("/usr/{}-linux-gnu", target.architecture()));
    is_of_this_version(emulator.arg(program)).map(|()| Skipped::new())
}

fn is_of_this_version(program: &mut Command) -> Result<()> {
    let told = program.arg("--version").output().context("cannot run the unpacked program")?;
    ensure!(told.status.success(), "the unpacked program ended with {}", told.status);
    let told = String::from_utf8_lossy(&told.stdout).trim().to_owned();
    ensure!(
        told == format!("pointbook {VERSION}"),
        "the unpacked program says {told:?}, expected version {VERSION}"
    );
    Ok(())
}

/// Starts the demo and checks that it serves its products.
fn serves(program: PathBuf) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let demo = Pointbook::of(program, &folder.path().join("demo.db")).serve_as("demo", &[])?;
    demo.first_answer()?;
    let products = http_client::get(demo.address, "/acme/api/v1/store/products", "demo-ben")?;
    let products = String::from_utf8_lossy(&products.bytes);
    ensure!(products.contains("\"sku\""), "the demo's store has no products: {products}");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn program_of_another_version_and_one_that_fails_are_refused() {
        let refusal =
            |line: &str| is_of_this_version(Command::new("sh").args(["-c", line])).unwrap_err().to_string();
        assert!(refusal("echo pointbook 0.0.1").contains("says \"pointbook 0.0.1\""));
        assert!(refusal("kill -SEGV $$").contains("SIGSEGV"));
    }
}
