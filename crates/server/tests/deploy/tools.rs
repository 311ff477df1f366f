//! Other programs that check our files.

use std::io::{ErrorKind, Write};
use std::process::{Command, Output};

/// Runs a program; `None` when it is not installed, which fails on a build server (`CI=true`).
pub(crate) fn run(program: &str, arguments: &[&str]) -> Option<Output> {
    let output = run_where_installed(program, arguments);
    assert!(output.is_some() || !is_build_server(), "{program} is not installed");
    output
}

/// Like [`run`], for programs that a build server has no package of.
pub(crate) fn run_where_installed(program: &str, arguments: &[&str]) -> Option<Output> {
    match Command::new(program).args(arguments).output() {
        Ok(output) => Some(output),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            // Writes directly to the standard error, because the test harness hides the output of passing tests.
            let line = format!("skipped: {program} is not installed\n");
            std::io::stderr().write_all(line.as_bytes()).unwrap();
            None
        }
        Err(error) => panic!("{program}: {error}"),
    }
}

/// Fails with the output of the program, unless the program succeeded.
#[track_caller]
pub(crate) fn expect_success(output: Option<Output>) {
    let Some(output) = output else { return };
    let said = [output.stdout, output.stderr].concat();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&said));
}

#[expect(clippy::disallowed_methods, reason = "only a developer's machine may go without these programs")]
fn is_build_server() -> bool {
    std::env::var("CI").as_deref() == Ok("true")
}

#[test]
fn every_yaml_file_is_well_formed() {
    let (rules, folder) =
        (format!("{}/deploy/.yamllint.yaml", super::ROOT), format!("{}/deploy", super::ROOT));
    expect_success(run("yamllint", &["--strict", "-c", &rules, &folder]));
}
