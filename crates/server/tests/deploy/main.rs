//! The files of `deploy/` match the program, and other programs accept them.
#![expect(clippy::unwrap_used, reason = "an error fails the test")]

mod backup;
mod balancer;
mod chart;
mod chart_values;
mod commands;
mod compose;
mod image;
mod instance;
mod monitoring;
mod proxies;
mod tools;
mod unit;

/// The root of the repository.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// The content of a file of `deploy/`.
fn deployed(path: &str) -> String {
    std::fs::read_to_string(format!("{ROOT}/deploy/{path}")).unwrap()
}
