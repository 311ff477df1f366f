//! TODO: operators.

pub(crate) mod console;
pub mod known;
pub mod manage;
