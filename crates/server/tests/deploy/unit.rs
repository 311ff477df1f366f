//! The systemd unit.

use super::commands::expect_command;
use super::deployed;
use super::tools::{expect_success, run};

const PROGRAM: &str = "/usr/local/bin/pointbook";

/// The exposure level of `systemd-analyze security`, in tenths; 100 is a service without protection.
const EXPOSURE_MAX: &str = "--threshold=14";

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
fn threads_may_step_back() {
    let unit = deployed("pointbook.service");
    let filters: Vec<&str> = unit.lines().filter_map(|line| line.strip_prefix("SystemCallFilter=")).collect();
    // The last directive counts: a later one can allow what an earlier one forbids as a group.
    assert_eq!(filters.last(), Some(&"setpriority"));
}

/// The directives of a section. systemd ignores them in other sections.
fn value(section: &str, key: &str) -> String {
    let (unit, mark) = (deployed("pointbook.service"), format!("[{section}]"));
    let of_section = unit.lines().skip_while(|line| *line != mark).skip(1);
    let mut of_section = of_section.take_while(|line| !line.starts_with('['));
    let value = of_section.find_map(|line| line.strip_prefix(key)?.strip_prefix('='));
    value.unwrap_or_else(|| panic!("[{section}] has no {key}")).to_owned()
}

#[test]
fn the_unit_starts_a_server_and_gives_it_time_to_end() {
    let command = value("Service", "ExecStart");
    let words = command.strip_prefix(PROGRAM).unwrap().split_whitespace();
    expect_command(&words.collect::<Vec<_>>());
    let limits = pointbook_server::config::Config::default().http;
    let ending_ms = limits.unready_before_close_ms + limits.drain_timeout_ms;
    assert!(value("Service", "TimeoutStopSec").parse::<u64>().unwrap() * 1_000 > ending_ms);
    assert!(value("Service", "LimitNOFILE").parse::<usize>().unwrap() > limits.max_connections);
}

#[test]
fn a_reload_sends_a_signal_that_ends_nothing() {
    assert_eq!(value("Service", "ExecReload"), "/bin/kill -HUP $MAINPID");
}

#[test]
fn commands_are_shown_on_the_file_of_the_service() {
    let (unit, guide) = (deployed("pointbook.service"), deployed("README.md"));
    let file = format!("sqlite:{}/pointbook.db", value("Service", "WorkingDirectory"));
    for text in [unit, guide] {
        let shown: Vec<&str> = text
            .lines()
            .filter_map(|line| {
                line.trim_start_matches(['#', ' ']).strip_prefix("sudo -u pointbook pointbook ")
            })
            .collect();
        assert!(!shown.is_empty());
        for command in shown {
            expect_command(&command.split(' ').collect::<Vec<_>>());
            assert!(command.ends_with(&format!("--database {file}")), "{command}");
        }
    }
}

#[test]
fn the_unit_is_started_again_for_as_long_as_its_database_is_away() {
    assert_eq!(value("Service", "Restart"), "always");
    assert_eq!(value("Unit", "StartLimitIntervalSec"), "0");
    assert!(value("Service", "RestartSec").parse::<u64>().unwrap() >= 2);
}
