//! The sender against receivers on this machine: what it refuses, what it sends, and what it makes of bad responses.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "an error fails the test")]

mod connections;
mod delivered;
mod names;
mod receiver;
mod refused;
mod responses;
mod support;
mod tls;
