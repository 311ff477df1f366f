//! Moving from another server of the interface, by what it tells its customers: its store, and the histories of
//! those whose tokens are there. What is read goes the way of an import.

mod accounts;
mod compare;
mod lines;
mod local;
mod plan;
mod rows;
mod shown;

pub(crate) use accounts::{Account, parse_accounts};
pub(crate) use compare::{Comparison, compare_history, compare_stores};
pub(crate) use lines::{Lines, Reading};
pub(crate) use local::Local;
pub(crate) use plan::Plan;
pub(crate) use rows::{activity_lines, category_tree, product_lines};
