//! Declares each table with a tenant's rows once, in `tables.rs`: the columns or the struct of its rows, the key, and the facts that
//! copies and the service role need. [`rows`] maps parts of tables to types of the domain.
//!
//! The SQL of both databases, the row readers and their errors follow from these declarations. A store adds a [`Source`]
//! for the rows of its driver, and the statements that are more than a list of columns.

#[macro_use]
mod columns;
pub mod audit;
pub mod back_tests;
pub(crate) mod bonuses;
mod cell;
mod feed_entries;
pub mod figures;
pub(crate) mod packed_id;
mod query;
pub mod rows;
pub mod rows_of_service;
mod scalars;
pub(crate) mod settings;
mod source;
mod statement;
mod table;
mod tables;
pub mod texts;

pub use cell::{Cell, CellRef, Row};
pub use columns::{Columns, Group, Read, Scalar, Write, cells};
pub use feed_entries::feed_entries_to_json;
pub use query::{Comparison, Condition, Query};
pub(crate) use rows_of_service::ALL_TENANTS;
pub use scalars::{ColumnAt, RawText};
pub use source::{Corrupt, Record, Source};
pub(crate) use statement::{Check, Hold, RangeTest, Set, UpdateShape};
pub use statement::{Dialect, OnConflict, Statement, find_event_after, remove_rows};
pub use table::{AppendOnly, Column, Kind, Lock, Table};
pub use tables::*;
pub use texts::Text;
