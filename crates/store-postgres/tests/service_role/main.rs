//! What the role of the service can see and do, whatever statement it comes to run.
#![expect(clippy::unwrap_used, reason = "what cannot happen ends a test")]

mod refusals;
mod role;
mod rows;
