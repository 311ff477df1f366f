//! The server of a test process.

use std::mem;
use std::path::Path;

use xtask::throwaway_postgres::{Shell, host, init, launch};

/// Options for a server with temporary data: it is faster without durability, and without compiled statements, of which each runs once
/// or twice.
const FORGETFUL: &str =
    "-c max_connections=400 -c fsync=off -c full_page_writes=off -c synchronous_commit=off -c jit=off";

/// Starts a server that ends with the process. Returns its URL. The server may not accept connections yet.
pub(super) fn start(binaries: &Path) -> String {
    let mut shell = Shell::start().unwrap();
    init(&mut shell, binaries, "a", "").unwrap();
    launch(&mut shell, binaries, "a", FORGETFUL).unwrap();
    let url = format!("postgres://pointbook@{}/postgres", host(&shell, "a"));
    // The end of its input is the end of the process.
    mem::forget(shell);
    url
}
