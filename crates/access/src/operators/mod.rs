//! The operators of a tenant: adding one, changing the role, and removing one. Their sessions are in `sessions`.

pub(crate) mod console;
pub(crate) mod known;
pub mod manage;
