//! The database on a file system of a few megabytes, written until it is full.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, ensure};

use super::{crew, write_until, write_well};
use crate::crash::setup::CrashSetup;
use crate::crash::verify::{read_histories, verify};

const SMALL_MB: u32 = 16;
const LARGER_MB: u32 = 24;

/// How many requests must fail before the disk counts as full.
const ENOUGH_FAILURES: usize = 200;

pub(super) fn run(seed: u64) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let Some(disk) = SmallDisk::mount(folder.path()) else {
        println!("disk full: skipped: mounting a tmpfs requires root with the right to mount");
        return Ok(());
    };
    let setup = CrashSetup::in_file(&disk.folder, super::CLIENTS)?;
    let mut clients = crew(seed);
    let mut server = setup.pointbook.serve()?;
    let full = |shift: &super::Shift| Ok(shift.failed() > ENOUGH_FAILURES);
    let (acknowledged, failed) = write_until(&setup, &mut clients, &mut server, full)?;
    read_histories(&setup, server.address)?;
    println!("disk full: {acknowledged} writes acknowledged, {failed} failed, reads still work");
    disk.resize(LARGER_MB)?;
    let address = write_well(&setup, &mut clients, &mut server)?;
    let verified = verify(&setup, &mut clients, address)?;
    println!(
        "disk full: after the disk grew, the same process writes again; {} rows found, audit clean",
        verified.rows
    );
    let (_, failed) = write_until(&setup, &mut clients, &mut server, full)?;
    server.kill()?;
    let elsewhere = tempfile::tempdir()?;
    copy(&disk.folder, elsewhere.path())?;
    let setup = setup.moved(elsewhere.path());
    let mut server = setup.pointbook.serve()?;
    server.first_answer()?;
    verify(&setup, &mut clients, server.address)?;
    let address = write_well(&setup, &mut clients, &mut server)?;
    let verified = verify(&setup, &mut clients, address)?;
    println!(
        "disk full: {failed} more errors, server killed, a copy of the files opens; {} rows, audit clean",
        verified.rows
    );
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        fs::copy(entry.path(), to.join(entry.file_name()))?;
    }
    Ok(())
}

/// A file system in memory, unmounted on drop.
struct SmallDisk {
    folder: PathBuf,
}

impl SmallDisk {
    /// Returns `None` when this user may not mount.
    fn mount(folder: &Path) -> Option<Self> {
        let size = format!("size={SMALL_MB}m");
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", &size, "tmpfs"]).arg(folder).output();
        let is_mounted = mounted.is_ok_and(|output| output.status.success());
        is_mounted.then(|| Self { folder: folder.to_owned() })
    }

    fn resize(&self, megabytes: u32) -> Result<()> {
        let options = format!("remount,size={megabytes}m");
        let status = Command::new("mount").args(["-o", &options]).arg(&self.folder).status()?;
        ensure!(status.success(), "cannot resize the file system: {status}");
        Ok(())
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // A lazy unmount also succeeds while a server that is being killed still has files open.
        let _ = Command::new("umount").arg("--lazy").arg(&self.folder).status();
    }
}
