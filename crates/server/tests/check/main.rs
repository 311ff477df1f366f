//! `pointbook check` passes our own server and finds faulty ones.
#![expect(clippy::unwrap_used, reason = "an error fails the test")]

mod checked_server;
mod command;
mod demo;
mod faults;
mod others;
mod own;
mod proxy;
mod pull;
mod tls;
