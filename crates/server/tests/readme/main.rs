//! The commands of the documentation work and print what the documentation shows.
#![expect(clippy::unwrap_used, reason = "an error fails the test")]

mod check;
mod commands;
mod document;
mod expectation;
mod guides;
mod interface;
mod links;
mod operating;
mod picture;
mod repository;
mod second_step;
mod session;
mod tour;
mod tree;
