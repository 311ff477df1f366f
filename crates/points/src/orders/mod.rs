//! Orders: a customer places and cancels an order, and the back office fulfils or cancels it.

pub mod age;
pub(crate) mod console;
pub(crate) mod manage_api;
pub mod own;
pub mod place;
pub mod query;
pub mod step;
pub(crate) mod step_answer;
pub(crate) mod store_api;
pub mod view;
pub mod waits;
