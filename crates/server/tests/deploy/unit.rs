//! The unit of systemd.

use super::commands::expect_command;
use super::deployed;
use super::tools::{expect_success, run};

/// Where the unit has the program.
const PROGRAM: &str = "/usr/local/bin/pointbook";

/// How much systemd finds open, in tenths; 100 is a service without any protection.
const EXPOSURE_MAX: &str = "--threshold=13";

#[test]
fn systemd_takes_the_unit_and_finds_little_open() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pointbook.service");
    let unit = deployed("pointbook.service").replace(PROGRAM, env!("CARGO_BIN_EXE_pointbook"));
    std::fs::write(&path, unit).unwrap();
    let path = path.to_str().unwrap();
    expect_success(run("systemd-analyze", &["verify", path]));
    expect_success(run("systemd-analyze", &["security", "--offline=true", EXPOSURE_MAX, path]));
}

#[test]
fn the_unit_starts_a_server_and_gives_it_time_to_end() {
    let unit = deployed("pointbook.service");
    let value = |key: &str| {
        let line = unit.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix('='));
        line.unwrap_or_else(|| panic!("{key} is missing"))
    };
    let command = value("ExecStart").strip_prefix(PROGRAM).unwrap();
    expect_command(&command.split_whitespace().collect::<Vec<_>>());
    let limits = pointbook_server::config::Config::default().http;
    let ending_ms = limits.unready_before_close_ms + limits.drain_timeout_ms;
    assert!(value("TimeoutStopSec").parse::<u64>().unwrap() * 1_000 > ending_ms);
    assert!(value("LimitNOFILE").parse::<usize>().unwrap() > limits.max_connections);
}
