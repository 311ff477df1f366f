//! The JSON that clients read. Wire types are made from domain types by taking every field, so that a
//! new field does not compile until this room has decided about it; they are never stored.

pub(crate) mod activity;
mod answers;
pub mod categories;
pub(crate) mod envelope;
pub(crate) mod import;
pub(crate) mod key;
pub(crate) mod managed_categories;
pub(crate) mod managed_product;
pub(crate) mod order;
pub mod point_history;
pub mod product;
pub mod product_list;
pub(crate) mod success;
mod tag;
pub(crate) mod time;
pub(crate) mod token;
pub(crate) mod user;
pub(crate) mod warning;

pub(crate) use answers::ANSWERS;
