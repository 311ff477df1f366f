//! TODO: members.

pub(crate) mod console;
pub mod history_view;
pub mod ledger_view;
pub(crate) mod manage_api;
pub mod point_history;
pub mod put;
pub mod query;
pub(crate) mod user_api;
pub mod view;
