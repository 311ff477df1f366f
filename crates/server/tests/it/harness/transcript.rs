//! Writes the requests and responses of each test to a file with the name of the test. The files must be equal on every
//! database: `cargo xtask check` compares them after all tests.
//! Time, ids and secrets come from the test, so nothing depends on the moment. The date and the id of a request
//! are left out.

mod left_out;

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use tokio::runtime::{Handle, RuntimeFlavor};

use super::setup;

/// The maximum size of a request in a transcript, in bytes. Of longer requests, the transcript has the length.
const MAX_REQUEST_BYTES: usize = 4_096;

/// The tests of this process that have started their file.
static BEGUN: Mutex<Option<HashSet<String>>> = Mutex::new(None);

/// A test calls this when it starts a server. Deletes the file of an earlier run.
pub(crate) fn begin() {
    // Other tests have no transcript.
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

/// Writes a request and its response.
pub(crate) fn write(request: &[u8], answer: &[u8]) {
    // The worker threads of a runtime do not know their test, so they write nothing.
    let Some(test) = test().filter(|test| left_out::reason(test).is_none()) else { return };
    assert!(tokio::task::try_id().is_none(), "{ADVICE}");
    let mut file = OpenOptions::new().append(true).open(path(&test)).unwrap();
    let long = format!("{} bytes", request.len());
    let request = if request.len() > MAX_REQUEST_BYTES { long.as_bytes() } else { request };
    let parts: [&[u8]; 5] = [b"--- request\n", request, b"\n--- answer\n", answer, b"\n"];
    file.write_all(&parts.concat()).unwrap();
}

/// The same for raw bytes.
pub(crate) fn write_raw(request: &[u8], answer: &[u8]) {
    let lines = answer.split_inclusive(|&byte| byte == b'\n');
    let of_any_run = |line: &&[u8]| !OF_ONE_RUN.iter().any(|name| line.starts_with(name.as_bytes()));
    write(request, &lines.filter(of_any_run).collect::<Vec<_>>().concat());
}

/// The headers of a response that differ in each run.
pub(crate) const OF_ONE_RUN: [&str; 2] = ["date", "x-request-id"];

/// Advice for tests whose requests have no order.
const ADVICE: &str = "requests of one test at the same time have no order: name the test in left_out.rs";

/// The test of this thread, from the name of the thread; `None` on a worker of a runtime. Also `None` on the first thread
/// with one test at a time, so `cargo xtask check` runs at least two.
fn test() -> Option<String> {
    let thread = std::thread::current();
    let name = thread.name().filter(|name| name.starts_with("suite::"))?;
    Some(name.to_owned())
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("transcripts").join(setup().name())
}

fn path(test: &str) -> PathBuf {
    folder().join(test.replace("::", "."))
}
