//! What the documents tell people to type: it works, and it prints what they say.
#![expect(clippy::unwrap_used, reason = "what goes wrong here ends the test")]

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
