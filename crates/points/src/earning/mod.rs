//! How members earn points: activities, the bonuses that campaigns give them, the explanation of a bonus, and reversals.

pub(crate) mod api;
pub mod body;
pub mod bonuses;
pub(crate) mod budget;
pub(crate) mod counters;
pub mod dry_run;
pub mod explain;
pub mod explanation_view;
pub(crate) mod query;
pub mod record_activities;
pub mod record_activity;
pub mod reverse_transaction;
pub mod view;
