//! The commands of the documentation work and print what the documentation shows.
#![expect(clippy::unwrap_used, reason = "an error fails the test")]

mod check;
mod document;
mod expectation;
mod guides;
mod interface;
mod operating;
mod picture;
mod second_step;
mod session;
mod tour;
