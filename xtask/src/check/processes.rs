//! Processes that tests have started and not ended: servers of PostgreSQL, and our own program.

use std::collections::BTreeMap;
use std::fs;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use xtask::operate::pointbook::pause;

/// What the command line or the working folder of such a process contains.
const MARKS: [&str; 2] = ["pointbook-postgres.", "/debug/pointbook"];

/// How long servers may take to end after the tests.
const PATIENCE: Duration = Duration::from_secs(30);

/// The command lines of processes by their ids.
pub(super) type Processes = BTreeMap<u32, String>;

/// The processes that look like those of tests; none where there is no `/proc`.
pub(super) fn of_tests() -> Result<Processes> {
    let mut found = Processes::new();
    let Ok(entries) = fs::read_dir("/proc") else { return Ok(found) };
    for entry in entries {
        let entry = entry?;
        let Some(id) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        // The process may have ended meanwhile.
        let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let folder = fs::read_link(entry.path().join("cwd")).unwrap_or_default();
        let shown = format!("{} in {}", String::from_utf8_lossy(&line).replace('\0', " "), folder.display());
        if MARKS.iter().any(|mark| shown.contains(mark)) {
            found.insert(id, shown);
        }
    }
    Ok(found)
}

/// Waits until all processes of tests have ended, except those of before.
///
/// # Errors
/// Names the processes that are left.
pub(super) fn none_is_left(before: &Processes) -> Result<()> {
    none_is_left_after(PATIENCE, before)
}

fn none_is_left_after(patience: Duration, before: &Processes) -> Result<()> {
    let begun = Instant::now();
    loop {
        let mut left = of_tests()?;
        left.retain(|id, _| !before.contains_key(id));
        if left.is_empty() {
            return Ok(());
        }
        ensure!(begun.elapsed() < patience, "tests left these processes behind: {left:#?}");
        pause(Duration::from_millis(100));
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn process_that_a_test_left_is_named() {
        let mut left = Command::new("sh");
        left.args(["-c", "echo; read line", "pointbook-postgres.test"]);
        let mut left = left.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        // Its line says that it runs under its command line.
        left.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap();
        let error = none_is_left_after(Duration::ZERO, &Processes::new()).unwrap_err().to_string();
        assert!(error.contains(&format!("{}: ", left.id())), "{error}");
        let known = of_tests().unwrap();
        assert!(known[&left.id()].contains("pointbook-postgres.test"));
        none_is_left_after(Duration::ZERO, &known).unwrap();
        left.kill().unwrap();
        left.wait().unwrap();
        assert!(!of_tests().unwrap().contains_key(&left.id()));
    }
}
