//! The category tree: what customers read, and how the back office replaces, imports and edits it.

pub mod body;
pub(crate) mod console;
pub mod edit;
pub(crate) mod manage_api;
pub mod managed_view;
pub(crate) mod query;
pub(crate) mod store_api;
pub mod stored;
pub mod view;
