//! Campaigns at work: the back office writes and schedules them, back-tests them on past activities, and back-fills their awards.
//!
//! The rules are in the crate `campaigns`. `earning` asks them about each activity.

pub(crate) mod api;
pub mod back_fill;
pub mod back_fill_view;
pub mod back_test;
pub mod back_test_view;
pub(crate) mod console;
pub mod figures;
pub mod manage;
pub(crate) mod query;
pub mod rules_cache;
pub mod runs;
pub mod test_window;
pub mod view;
