//! The JSON that clients read. A wire type takes every field of its domain type, so that a new field compiles only after this
//! room has decided about it. Wire types are never stored.

pub mod activity;
mod answers;
pub mod audit_log;
pub mod back_fill;
pub mod back_test;
pub mod campaign;
pub mod categories;
pub mod clock;
pub mod envelope;
pub mod event;
pub mod explanation;
pub mod import;
pub mod key;
pub mod ledger_entry;
pub mod managed_categories;
pub mod managed_product;
pub mod order;
pub mod picture;
pub mod point_history;
pub mod product;
pub mod product_list;
pub mod report;
pub mod scope;
pub mod sign_in_link;
pub mod success;
mod tag;
pub mod time;
pub mod token;
pub mod user;
pub mod warning;
pub mod webhook;

pub use answers::ANSWERS;
