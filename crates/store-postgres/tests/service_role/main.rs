//! Tests of the rights of the service role, with any statement.
#![expect(clippy::unwrap_used, reason = "what cannot happen ends a test")]

mod refusals;
mod role;
mod rows;
