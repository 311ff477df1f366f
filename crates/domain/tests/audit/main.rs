//! The auditor, against facts that are right and facts that are broken in one place.
#![expect(clippy::unwrap_used, reason = "what cannot happen ends a test")]

mod awards;
mod facts;
mod orders;
mod rows;
mod totals;
