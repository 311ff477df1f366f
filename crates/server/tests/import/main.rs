//! Imports and exports through the library, on real SQLite files, and a few through the program.
#![expect(clippy::unwrap_used, reason = "what cannot happen ends the test")]

mod activities;
mod categories;
mod exports;
mod harness;
mod inputs;
mod products;
mod program;
mod reasons;
mod rejects;
