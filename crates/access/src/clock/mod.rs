//! TODO: clock.

pub(crate) mod api;
pub(crate) mod console;
pub mod view;
