//! Test support: a fixed clock and other fixed sources, builders, the store conformance suite with
//! its oracle of a history, a store in memory, a database that fails on demand, and a validator of JSON.
//!
//! A store runs the whole suite by naming itself: see [`conformance_suite!`].
#![expect(
    clippy::unwrap_used,
    clippy::missing_panics_doc,
    reason = "test support: what cannot happen, and a fact that does not hold, end the test"
)]

pub mod build;
pub mod conformance;
pub mod faulty;
pub mod filled;
pub mod history_model;
pub mod json_schema;
pub mod ledger_model;
pub mod memory;
pub mod postgres;
pub mod sources;

pub use conformance::TestDatabase;
pub use faulty::{Fault, FaultyDatabase, WriteFault};
pub use json_schema::JsonSchemas;
pub use memory::MemoryStore;
pub use sources::{FixedClock, FixedSecrets, OneSecret, SequentialIds};
