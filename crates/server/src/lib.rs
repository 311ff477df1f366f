//! The program around the service: commands, configuration, telemetry, wiring, lifecycle.

// They panic when nobody reads; what is in `commands::output` does not.
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod background;
pub mod cli;
pub mod commands;
pub mod config;
mod database_file;
pub mod demo;
pub mod export;
pub mod import;
mod job_runner;
pub mod lifecycle;
mod private_file;
mod pull;
mod secret_file;
pub mod sources;
pub mod telemetry;
pub mod wiring;

pub use commands::{CommandResult, Context, Failure, Verdict};
