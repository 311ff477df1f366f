//! Copies a tenant from another server that follows the interface: the store, and the histories of users whose tokens
//! are given. All data goes through an import.

mod accounts;
mod compare;
mod digest;
mod lines;
mod local;
mod rows;
mod store_index;

pub(crate) use accounts::{Account, parse_accounts};
pub(crate) use compare::{Comparison, compare_history, compare_stores};
pub(crate) use lines::{LineSender, ReaderThread};
pub(crate) use local::LocalServer;
pub(crate) use rows::{activity_lines, category_tree, product_lines};
pub(crate) use store_index::StoreIndex;
