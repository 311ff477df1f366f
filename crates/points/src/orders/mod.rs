//! Orders: a customer places and cancels an order, and the back office fulfils or cancels it.

pub mod cancel_own;
pub(crate) mod console;
pub(crate) mod manage_api;
pub mod place;
pub mod query;
pub mod show_own;
pub mod step;
pub mod step_answer;
pub(crate) mod store_api;
pub mod view;
