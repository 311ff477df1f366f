//! The in-memory catalogue of one tenant: an immutable snapshot that filters, sorts and pages.
//!
//! A [`SnapshotBuilder`] takes products one by one and gives a [`Snapshot`]; a [`ProductQuery`]
//! asks it for a page. Products are numbered by their place among all ids. Each of the three sorts
//! is an order of the listed products, and each filter is a set of ranks in that order, so that a
//! page is found by counting instead of by looking at products (see `order` and `selection`).

mod builder;
mod categories;
mod changes;
mod facts;
mod filter_sets;
mod fold;
mod fragments;
mod gallop;
mod lists;
mod memberships;
mod merge;
mod order;
mod orders;
mod products;
mod query;
mod rank_bits;
mod rank_set;
mod ranking;
mod recent;
mod render;
mod rules;
mod searches;
mod segment;
mod selection;
mod snapshot;
mod title_index;
mod title_search;
mod wavelet;

pub use builder::{SnapshotBuilder, SnapshotOptions};
pub use categories::SharedFragment;
pub use fold::fold_title;
pub use fragments::Fragment;
pub use query::{ProductFilter, ProductPage, ProductQuery, ProductSort};
pub use snapshot::Snapshot;
