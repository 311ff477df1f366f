//! Back-tests: what a campaign would have given for the activities that were recorded in the past.
//!
//! A back-test reads the ledger of a tenant, user by user in the order of recording, and asks the rules of one version of one
//! campaign about each row, as if that version had always been in force. It has its counters in memory, so it changes nothing.
//!
//! It differs from what a live campaign does in these points:
//! - It ignores all other campaigns, and so groups.
//! - It also counts rows whose bonuses came from the back office or an import, and rows that were reversed later.
//! - A row has of the campaign what its awards say. A row of the back office or an import has the bonuses with the kind of the
//!   tested version and one of its titles.
//! - The birth date and the language of a user are those of today, and no activity is too late.
//! - Limits per user count its own awards between `from` and `until`. Only ordinals count earlier rows.
//! - A budget is spent in the order of recording, and a reversal gives nothing back to it.

mod awards;
pub(crate) mod job;
mod lacking;
mod pending;
mod read;
mod reader;
mod request;
mod result;
mod run;
mod simulation;
mod state;
mod tally;
mod user;

pub use lacking::MAX_BACK_FILL_AWARDS;
pub(crate) use lacking::{Lack, Lacking};
pub use pending::run_pending_back_test;
pub use read::{BackTestDetail, back_test};
pub use request::{BACK_TEST_JOB, BackTestOutcome, BackTestRequest, cancel_back_test, request_back_test};
pub use result::{BackTestResult, DayTotal, DifferingRow, PaidTotal, UserTotal};
pub(crate) use run::run_for_back_fill;
pub use run::{BackTest, Progress, run_back_test, version_to_test};
pub use state::BackTestState;
