//! The operations and the page that show and set the virtual clock of a staging tenant. The command that sets it is
//! `pointbook_store::tenants::set_clock`.

pub(crate) mod api;
pub(crate) mod console;
pub mod view;
