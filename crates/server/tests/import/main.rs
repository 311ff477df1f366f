//! Imports and exports through the library, on real SQLite files. A few tests run the program.
#![expect(clippy::unwrap_used, reason = "an error fails the test")]

mod activities;
mod categories;
mod exports;
mod harness;
mod inputs;
mod products;
mod program;
mod reasons;
mod rejects;
