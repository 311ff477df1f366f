//! TODO: keys.

pub(crate) mod api;
pub(crate) mod console;
pub mod uses;
pub mod view;
