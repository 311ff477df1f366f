//! The program around the service: commands, configuration, telemetry, wiring, lifecycle.

// They panic when the reader has left; the functions of `commands::output` do not.
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod background;
pub mod cli;
mod commands;
pub mod config;
mod database_file;
pub mod demo;
pub mod export;
mod failure;
pub mod import;
mod lifecycle;
mod private_file;
mod pull;
mod secret_file;
pub mod sources;
mod telemetry;
pub mod wiring;

pub use failure::Failure;
