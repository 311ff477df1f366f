//! Test support: fixed sources of time, ids and secrets, builders, the conformance suite of stores with its oracles,
//! databases on SQLite, and a database that fails on demand.
//!
//! A store runs the complete suite with [`conformance_suite!`].
#![expect(
    clippy::unwrap_used,
    clippy::missing_panics_doc,
    reason = "test support: an impossible case or a failed fact ends the test"
)]

pub mod build;
pub mod conformance;
pub mod expiry_model;
pub mod faulty;
pub mod files;
pub mod filled;
pub mod history_model;
pub mod ledger_model;
pub mod pictures;
pub mod postgres;
mod read_text;
pub mod receiver;
pub mod sources;
pub mod sqlite;

pub use conformance::TestDatabase;
pub use faulty::{Fault, FaultyDatabase, HeldWrite, WriteFault};
pub use read_text::read_text;
pub use receiver::Receiver;
pub use sources::{FixedClock, FixedSecrets, OneSecret, SequentialIds};
