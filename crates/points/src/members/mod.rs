//! Members: their profile, ledger and point history. Here are all operations below `/v1/manage/users` and `/v1/user`, also those
//! that call use cases of `earning`.

pub(crate) mod console;
pub mod history_view;
pub mod ledger_view;
pub(crate) mod manage_api;
pub mod months;
pub(crate) mod notes;
pub mod notices;
pub mod point_history;
pub mod put;
pub mod query;
pub mod read;
pub mod sweep;
pub(crate) mod user_api;
pub mod view;
