//! Products: the lists that customers and the back office read, and how the back office edits, imports and retires products.

pub(crate) mod cleaning;
pub(crate) mod console;
pub mod draft;
pub(crate) mod edit;
pub mod import;
pub mod list_managed;
pub mod list_store;
pub(crate) mod list_view;
pub(crate) mod manage_api;
pub mod managed;
pub mod ordered;
pub mod query;
pub mod stock;
pub(crate) mod store_api;
pub mod thumbnails;
pub(crate) mod unknown_categories;
pub mod view;
pub mod warning_view;
pub(crate) mod write;
