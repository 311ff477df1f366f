//! Campaigns as their callers see them: definitions, verdicts, awards.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod agreement;
mod birthdays;
mod canonical;
mod clocks;
mod combining;
mod conditions;
mod counters;
mod explanations;
mod hostile;
mod limits;
mod naive;
mod needs;
mod parsing;
mod parts;
mod scene;
mod versions;
mod warnings;
