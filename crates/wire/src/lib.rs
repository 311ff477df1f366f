//! The JSON that clients read. Wire types are made from domain types by taking every field, so that a
//! new field does not compile until this room has decided about it; they are never stored.

pub mod activity;
mod answers;
pub mod categories;
pub mod envelope;
pub mod import;
pub mod key;
pub mod managed_categories;
pub mod managed_product;
pub mod order;
pub mod point_history;
pub mod product;
pub mod product_list;
pub mod success;
mod tag;
pub mod time;
pub mod token;
pub mod user;
pub mod warning;

pub use answers::ANSWERS;
