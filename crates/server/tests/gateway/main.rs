//! The gateway and the listeners over real sockets, before a router that does what each test needs.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "in a test, what cannot happen ends it")]

mod access_log;
mod answers;
mod bodies;
mod client;
mod connections;
mod cors;
mod documents;
mod error_log;
mod health;
mod limits;
mod metrics;
mod pages;
mod refusals;
mod router;
mod secrets;
mod server;
mod shutdown;
