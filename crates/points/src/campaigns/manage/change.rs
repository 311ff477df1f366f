//! What the changes of campaigns share. Each change adds a version, so all versions stay with their authors.

use pointbook_campaigns::Warning;
use pointbook_domain::Timestamp;
use pointbook_store::audit_log::{ChangeNote, campaign_fields};
use pointbook_store::commands::{CommandError, Facts};
use pointbook_store::schema::rows::CampaignVersionRow;
use pointbook_store::tenants::set_clock::clock;

use super::refusal::CampaignRefusal;
use super::state::ShownState;
use super::stored::parse;
use crate::campaigns::runs::CAMPAIGN_EVENTS_JOB;

/// The result of a change. Nothing changes unless it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CampaignOutcome {
    /// A new campaign.
    Created(WrittenVersion),
    Written(WrittenVersion),
    /// The newest version has this definition.
    Unchanged(WrittenVersion),
    NotFound,
    Refused(CampaignRefusal),
}

/// A version after a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenVersion {
    pub row: CampaignVersionRow,
    pub state: ShownState,
    /// What an operator should know about the definition. Only a put that writes and a schedule tell it.
    pub warnings: Vec<Warning>,
}

pub(super) fn write(
    facts: &mut Facts,
    row: CampaignVersionRow,
    before: Option<&CampaignVersionRow>,
    operation: &'static str,
    now: Timestamp,
    warnings: Vec<Warning>,
) -> Result<WrittenVersion, CommandError> {
    facts.put(row.clone())?;
    // Before it takes over, the version changes nothing that the job could tell.
    let due_at = clock(facts)?.to_real(row.valid_from.max(now));
    facts.make_due(CAMPAIGN_EVENTS_JOB, due_at);
    facts.note(|| {
        let before =
            before.map(|row| campaign_fields(row.version, &row.state, row.valid_from, &row.definition));
        let after = campaign_fields(row.version, &row.state, row.valid_from, &row.definition);
        ChangeNote::new(operation, format!("campaign:{}", row.campaign_id), before, Some(after))
    });
    let state = ShownState::of(&parse(&row)?, now);
    Ok(WrittenVersion { row, state, warnings })
}
