//! API keys: the operations and pages that list, add and revoke them, and the note of when each was last used. A key is a token
//! with scopes, so `tokens` stores and checks it.

pub(crate) mod api;
pub(crate) mod console;
pub mod uses;
pub mod view;
