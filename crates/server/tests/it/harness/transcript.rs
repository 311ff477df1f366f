//! What was said in each test, in a file of its name: the same bytes on every database, as
//! `cargo xtask check` finds when all have run.
//!
//! Nothing in them depends on the moment: time, ids and secrets are the test's, and the date and the id
//! of a request are left out.

mod left_out;

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use tokio::runtime::{Handle, RuntimeFlavor};

use super::TARGET;

/// The longest request that is written as it was, in bytes; of others, it is the length.
const MAX_REQUEST_BYTES: usize = 4_096;

/// The tests of this process that have begun their file.
static BEGUN: Mutex<Option<HashSet<String>>> = Mutex::new(None);

/// The file with which a target says that it cannot run on this machine.
const SKIPPED: &str = "skipped";

/// To be called when a test starts a server: the file of a former run goes.
pub(crate) fn begin() {
    // Outside the suite there is nothing to compare with.
    let Some(test) = test() else { return };
    if !BEGUN.lock().unwrap().get_or_insert_default().insert(test.clone()) {
        return;
    }
    fs::create_dir_all(folder()).unwrap();
    let mut file = File::create(path(&test)).unwrap();
    match left_out::reason(&test) {
        Some(reason) => writeln!(file, "left out: {reason}").unwrap(),
        None => assert_eq!(Handle::current().runtime_flavor(), RuntimeFlavor::CurrentThread, "{ADVICE}"),
    }
}

/// Says that the whole target is skipped.
pub(crate) fn nothing_to_write() {
    fs::create_dir_all(folder()).unwrap();
    File::create(folder().join(SKIPPED)).unwrap();
}

/// Writes a request and its answer, when it has come.
pub(crate) fn write(request: &[u8], answer: &[u8]) {
    // Workers of a runtime have many threads, and are left out.
    let Some(test) = test().filter(|test| left_out::reason(test).is_none()) else { return };
    assert!(tokio::task::try_id().is_none(), "{ADVICE}");
    let mut file = OpenOptions::new().append(true).open(path(&test)).unwrap();
    let long = format!("{} bytes", request.len());
    let request = if request.len() > MAX_REQUEST_BYTES { long.as_bytes() } else { request };
    let parts: [&[u8]; 5] = [b"--- request\n", request, b"\n--- answer\n", answer, b"\n"];
    file.write_all(&parts.concat()).unwrap();
}

/// The same for bytes as they went over the wire.
pub(crate) fn write_raw(request: &[u8], answer: &[u8]) {
    let lines = answer.split_inclusive(|&byte| byte == b'\n');
    let of_any_run = |line: &&[u8]| !OF_ONE_RUN.iter().any(|name| line.starts_with(name.as_bytes()));
    write(request, &lines.filter(of_any_run).collect::<Vec<_>>().concat());
}

/// The headers of an answer that differ from run to run.
pub(crate) const OF_ONE_RUN: [&str; 2] = ["date", "x-request-id"];

/// What to do about requests whose order is free.
const ADVICE: &str = "requests of one test at the same time have no order: name the test in left_out.rs";

/// The test of the suite that this thread runs, which bears its name; none on a worker of a runtime, and none
/// where one test runs at a time, on the first thread: `cargo xtask check` lets two run at least.
fn test() -> Option<String> {
    let thread = std::thread::current();
    let name = thread.name().filter(|name| name.starts_with("suite::"))?;
    Some(name.to_owned())
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("transcripts").join(TARGET)
}

fn path(test: &str) -> PathBuf {
    folder().join(test.replace("::", "."))
}
