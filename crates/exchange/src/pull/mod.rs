//! Reads the store and point histories of another server that follows the interface, as rows of an import. Then reads both
//! servers and compares them.
//!
//! A pull records no row: the command `pointbook pull` gives the rows to an import. For the comparison it issues tokens and
//! revokes them.

mod accounts;
mod compare;
mod digest;
mod error;
mod lines;
mod local;
mod rows;
mod store_index;

pub use accounts::{Account, parse_accounts};
pub use compare::{Comparison, compare_history, compare_stores};
pub use error::PullError;
pub use lines::{LineSender, ReaderThread};
pub use local::LocalServer;
pub use rows::{activity_lines, category_tree, product_lines};
pub use store_index::StoreIndex;
