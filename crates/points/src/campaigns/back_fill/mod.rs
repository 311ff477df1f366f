//! Back-fills: give the awards that a back-test found, each once for ever.
//!
//! A back-fill runs its back-test again, and gives nothing when it finds other awards than before. Then each award becomes a
//! ledger row: without base points, with the award as its bonus, under the type of the activity and the source id
//! `{transaction_id}:{campaign_id}:{version}:back-fill`. That key is used once for ever, so a back-fill may end early and run
//! again. A row that has points of the campaign already, also from the back-fill of another version, gets the difference. A
//! reversed one gets nothing.

mod command;
pub(crate) mod job;
mod read;
mod request;
mod run;
mod source;
mod state;

pub use read::{back_fill, back_fills};
pub use request::{BACK_FILL_JOB, BackFillOutcome, cancel_back_fill, request_back_fill};
pub use run::run_pending_back_fill;
pub(crate) use source::filled_transaction;
pub use state::BackFillState;
