//! The program: its commands, configuration, demo, background jobs and telemetry, the list of slices, and the life of a server.

// These macros panic when the reader has closed the pipe. The functions of `commands::output` do not.
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod background;
mod backup;
pub mod cli;
mod commands;
pub mod config;
mod database_file;
pub mod demo;
mod doctor;
mod failure;
pub mod jobs;
mod key_file;
mod lifecycle;
mod measure;
mod pages;
pub mod sample;
mod secret_file;
pub mod slices;
pub mod sources;
mod telemetry;
pub mod wiring;

pub use failure::Failure;
pub use pages::AllPages;
pub(crate) use pointbook_exchange::private_file;
pub use pointbook_exchange::{export, import};
