//! `strace` makes system calls of the server fail.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use super::{crew, write_until, write_well};
use crate::crash::setup::CrashSetup;
use crate::crash::verify::{read_histories, verify};

/// For how long clients write while calls fail.
const SHIFT: Duration = Duration::from_secs(2);

/// One kind of failure of the disk.
struct Fault {
    name: &'static str,
    /// The system calls, in the syntax of `strace`.
    calls: &'static str,
    /// The error and which calls of a thread get it, in the syntax of `strace`.
    error: &'static str,
    lasts: bool,
}

const FAULTS: [Fault; 6] = [
    Fault { name: "a sync fails", calls: "fsync,fdatasync", error: "EIO:when=60", lasts: false },
    Fault { name: "every 20th sync fails", calls: "fsync,fdatasync", error: "EIO:when=60+20", lasts: false },
    Fault { name: "no sync succeeds any more", calls: "fsync,fdatasync", error: "EIO:when=60+", lasts: true },
    Fault { name: "a write fails", calls: "pwrite64", error: "EIO:when=1000", lasts: false },
    Fault { name: "every 500th write fails", calls: "pwrite64", error: "ENOSPC:when=1000+500", lasts: false },
    Fault { name: "no write succeeds any more", calls: "pwrite64", error: "EIO:when=1000+", lasts: true },
];

pub(super) fn run(seed: u64) -> Result<()> {
    if !is_there() {
        println!("I/O errors: skipped: requires strace (Debian's package strace) and the right to trace");
        return Ok(());
    }
    for fault in &FAULTS {
        run_with_fault(fault, seed).with_context(|| format!("I/O errors, {}", fault.name))?;
    }
    Ok(())
}

fn is_there() -> bool {
    let traced =
        Command::new("strace").args(["-qq", "-o", "/dev/null", "-e", "trace=fsync", "true"]).output();
    traced.is_ok_and(|output| output.status.success())
}

fn run_with_fault(fault: &Fault, seed: u64) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let setup = CrashSetup::in_file(folder.path(), super::CLIENTS)?;
    let trace = folder.path().join("trace");
    let mut server = setup.pointbook.serve_under(&strace(fault, &trace).each_ref().map(String::as_str))?;
    server.first_answer()?;
    let mut clients = crew(seed);
    let begun = Instant::now();
    let injected = || Ok::<_, anyhow::Error>(fs::read_to_string(&trace)?.contains("(INJECTED)"));
    let enough = |_: &super::Shift| Ok(begun.elapsed() > SHIFT && injected()?);
    let (acknowledged, failed) = write_until(&setup, &mut clients, &mut server, enough)?;
    ensure!(!fault.lasts || failed > 0, "no request failed");
    let recovers = fault.lasts || failed < acknowledged;
    ensure!(recovers, "{failed} requests failed, {acknowledged} succeeded: the server does not recover");
    read_histories(&setup, server.address)?;
    server.kill()?;
    let mut server = setup.pointbook.serve()?;
    server.first_answer()?;
    verify(&setup, &mut clients, server.address)?;
    let address = write_well(&setup, &mut clients, &mut server)?;
    let verified = verify(&setup, &mut clients, address)?;
    println!(
        "I/O errors, {}: {acknowledged} acknowledged, {failed} ended in errors, reads go on; \
         started again: {} rows stand, audit clean",
        fault.name, verified.rows
    );
    Ok(())
}

/// The arguments of `strace`. The server stays the child process, and the tracer runs beside it.
fn strace(fault: &Fault, trace: &Path) -> [String; 10] {
    let Fault { calls, error, .. } = fault;
    let trace = trace.to_string_lossy().into_owned();
    let (traced, inject) = (format!("trace={calls}"), format!("inject={calls}:error={error}"));
    ["strace", "-D", "-f", "-qq", "-o", &trace, "-e", &traced, "-e", &inject].map(str::to_owned)
}
