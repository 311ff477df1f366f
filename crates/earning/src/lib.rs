//! How users earn points: activities, the bonuses of campaigns, and reversals.
//!
//! [`pointbook_campaigns`] decides which bonus an activity earns. This room gives it what it asks for, writes its awards with the ledger
//! row, and keeps the budgets of campaigns. It also manages campaigns and explains bonuses.

mod audit_budgets;
pub mod back_fill;
pub mod back_test;
mod budget;
mod counters;
mod earning;
mod explain;
pub mod manage;
mod record_activities;
mod record_activity;
mod reverse_transaction;
pub mod runs;
mod test_window;
mod trials;

pub use audit_budgets::audit_budgets;
pub use back_test::run_back_test;
pub use earning::{Earning, current_rules};
pub use explain::{DryRun, DryRunOutcome, Explanation, dry_run, explain};
pub use record_activities::{NewActivity, RecordHistory, record_activities};
pub use record_activity::{RecordActivity, record_activity};
pub use reverse_transaction::{
    ReversalOutcome, ReverseTransaction, WantedReversal, reversal_is_beyond, reversal_source,
    reverse_transaction,
};
pub use test_window::{WindowFault, check_window};
pub use trials::{TriedActivities, try_activities, try_users};
