//! Tests of the rules that are checked against a second program or against broken facts.
#![expect(clippy::unwrap_used, reason = "what cannot happen ends a test")]

mod audit;
mod history;
