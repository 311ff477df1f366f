//! The jobs, one file each. Each calls a use case of a slice or of `store`.

mod back_fill;
mod back_test;
mod campaign_events;
mod clean_audit_log;
mod clean_events;
mod clean_request_keys;
mod clean_tokens;
mod count_figures;
mod log_target;

use crate::jobs::Job;

/// All jobs. Their names are the labels of metrics.
pub static JOBS: [&dyn Job; 8] = [
    &clean_request_keys::CleanRequestKeys,
    &clean_tokens::CleanTokens,
    &clean_audit_log::CleanAuditLog,
    &clean_events::CleanEvents,
    &back_test::RunBackTest,
    &campaign_events::TellCampaignEvents,
    &back_fill::RunBackFill,
    &count_figures::CountFigures,
];

pub fn find(name: &str) -> Option<&'static dyn Job> {
    JOBS.into_iter().find(|job| job.name() == name)
}
