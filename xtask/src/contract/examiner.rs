//! Runs schemathesis, which sends thousands of valid and invalid requests generated from the OpenAPI document.

use std::fs;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use super::{Skipped, description, expectations, settings};
use crate::demo::{Demo, SUPER_USER_TOKEN};
use crate::tools::Tools;

/// The least number of test cases of a run.
const CASES: u64 = 2_000;

/// The phases of a run. Each of them must have run.
const PHASES: [&str; 4] = ["examples", "coverage", "fuzzing", "stateful"];

/// How much of a line is printed: a request may have megabytes.
const SHOWN_CHARS: usize = 600;

/// Examines the demo in all phases and with all checks, with the seed of the settings.
pub(super) fn run(tools: &Tools, demo: &Demo) -> Result<Skipped> {
    let reports = tempfile::tempdir()?;
    let report = reports.path().join("report.json");
    let config = reports.path().join("schemathesis.toml");
    let document = serde_json::from_slice(&fs::read(description())?)?;
    let known = fs::read_to_string(settings().join("schemathesis.toml"))?;
    fs::write(&config, known + &expectations::of(&document)?)?;
    let mut schemathesis = tools.python("schemathesis");
    schemathesis.current_dir(settings()).arg("--config-file").arg(&config).arg("run").arg(description());
    schemathesis.args(["--url", &demo.base_url(), "--no-color", "--report", "json", "--report-json-path"]);
    schemathesis.arg(&report).env("BASE_URL", demo.base_url()).env("SUPER_USER_TOKEN", SUPER_USER_TOKEN);
    // The hooks are in a folder of the repository, in which Python must write nothing.
    schemathesis.env("PYTHONDONTWRITEBYTECODE", "1");
    let output = schemathesis.output().context("cannot run schemathesis")?;
    if !output.status.success() {
        show(&String::from_utf8_lossy(&output.stdout));
        show(&String::from_utf8_lossy(&output.stderr));
        bail!("schemathesis: {}", output.status);
    }
    examine(&serde_json::from_slice(&fs::read(report)?)?)
}

fn show(text: &str) {
    eprintln!();
    for line in text.lines() {
        eprintln!("{}", line.chars().take(SHOWN_CHARS).collect::<String>());
    }
}

/// Fails when the run left something out or warned.
fn examine(report: &Value) -> Result<Skipped> {
    for phase in PHASES {
        let status = &report["phases"][phase]["status"];
        ensure!(status == "success", "the phase {phase} ended with {status}");
    }
    let operations = &report["operations"];
    ensure!(operations["tested"] == operations["total"], "not every operation was tested: {operations}");
    let cases = report["test_cases"]["generated"].as_u64().unwrap_or_default();
    ensure!(cases >= CASES, "{cases} cases are fewer than {CASES}");
    // A warning names operations that schemathesis could not exercise.
    let warnings = report["warnings"].as_object().context("a report without warnings")?;
    let is_warned = |of: &&String| warnings[*of].as_array().is_none_or(|about| !about.is_empty());
    let warned: Vec<_> = warnings.keys().filter(is_warned).collect();
    ensure!(warned.is_empty(), "schemathesis warns of {warned:?}: {}", report["warnings"]);
    Ok(Skipped::new())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn report() -> Value {
        let phases = PHASES.map(|phase| (phase.to_owned(), json!({"status": "success"})));
        json!({
            "phases": Value::Object(phases.into_iter().collect()),
            "operations": {"total": 27, "tested": 27},
            "test_cases": {"generated": 2_000},
            "warnings": {"missing_auth": []},
        })
    }

    fn refused(place: &str, value: Value) -> String {
        let mut report = report();
        *report.pointer_mut(place).unwrap() = value;
        examine(&report).unwrap_err().to_string()
    }

    #[test]
    fn run_that_left_something_out_fails() {
        assert!(examine(&report()).is_ok());
        assert!(refused("/phases/stateful/status", json!("skip")).starts_with("the phase stateful"));
        assert!(refused("/operations/tested", json!(26)).starts_with("not every operation"));
        assert!(refused("/test_cases/generated", json!(1_999)).starts_with("1999 cases"));
        assert!(refused("/warnings/missing_auth", json!(["GET /a"])).starts_with("schemathesis warns"));
    }
}
