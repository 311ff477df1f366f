//! Tests of charts through the public interface.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod elements;
mod extremes;
mod facts;
mod pictures;
mod samples;
mod style;
