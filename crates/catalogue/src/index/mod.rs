//! The in-memory catalogue of one tenant: an immutable snapshot that filters, sorts and pages.
//!
//! A [`SnapshotBuilder`] takes products one by one and gives a [`Snapshot`]; a [`ProductQuery`]
//! asks it for a page. From the outside in:
//!
//! - `snapshot`: a large base, shared with the snapshots before it, and what is `recent` over it; a page
//!   of both is found by counting (`merge`). Why: docs/adr/0002.
//! - `segment`: some products (`products`, their JSON in `fragments`), numbered by their place among all ids, and
//!   the three `orders` of those that are listed.
//! - `order`: a product's place in it is its rank. Each filter is a set of ranks (`rank_set`) or a range of
//!   them; a price within an order by time, or the other way around, is looked up in a `wavelet` matrix.
//! - `selection`: what a query leaves of an order, by the cheapest road. It counts, and gives a page.
//! - `title_index`: which products a search finds; `searches` keeps that as ranks for the next page.
//!
//! The model in `tests` filters, sorts and pages by loops: it defines what is right.

mod builder;
mod categories;
mod changes;
mod facts;
mod filter_sets;
mod fold;
mod id_index;
mod lists;
mod memberships;
mod merge;
mod numbers;
mod order;
mod orders;
mod pictured;
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

pub use builder::SnapshotBuilder;
pub use categories::SharedFragment;
pub use fold::fold_title;
pub use pictured::Pictured;
pub use query::{Fragment, ProductFilter, ProductPage, ProductQuery, ProductSort};
pub use rules::SnapshotOptions;
pub use snapshot::{Marks, Snapshot};
