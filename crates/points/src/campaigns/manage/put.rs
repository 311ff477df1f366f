//! Writes a campaign.

use pointbook_store::schema::rows::{CampaignVersionRow, TenantClock};

use pointbook_campaigns::{Campaign, VersionState};
use pointbook_domain::{TenantSettings, Timestamp};
use pointbook_store::commands::{Command, CommandError, Facts, Needs};
use pointbook_store::ports::Execution;
use pointbook_store::{Context, StoreResult};

use super::change::{CampaignOutcome, WrittenVersion, write};
use super::open::OpenCampaigns;
use super::refusal::{CampaignRefusal, closed};
use super::state::ShownState;
use super::stored::{Known, New, RequestTime, Stored};
use crate::campaigns::rules_cache::{KnownVersions, RulesCache};

/// Writes a new campaign, or a new version of one. A new campaign is a draft. The new version of another campaign has its state.
pub struct PutCampaign {
    pub campaign: Campaign,
    /// When the version takes over. `None` for as soon as possible.
    pub takes_over_at: Option<Timestamp>,
    /// The number of the newest version that the author knows; 0 for a new campaign. `None` when the author does not mind others.
    pub after: Option<u32>,
    pub asked: RequestTime,
    pub known: KnownVersions,
    pub author: String,
    pub settings: TenantSettings,
}

impl Command for PutCampaign {
    type Outcome = CampaignOutcome;

    const NAME: &'static str = "put_campaign";

    fn needs(&self, needs: &mut Needs) {
        needs.rows::<CampaignVersionRow>(self.known.newer());
        needs.unlocked::<TenantClock>(&());
    }

    fn decide(&self, facts: &mut Facts) -> Result<CampaignOutcome, CommandError> {
        let stored = Stored::read(&self.known, facts)?;
        let now = self.asked.now;
        let id = self.campaign.id().as_str();
        let definition = self.campaign.to_json();
        let last = stored.last(id)?;
        if let Some((row, version)) = last.as_ref().filter(|(row, _)| row.definition == definition) {
            let state = ShownState::of(version, now);
            let warnings = Vec::new();
            return Ok(CampaignOutcome::Unchanged(WrittenVersion { row: row.clone(), state, warnings }));
        }
        let newest = stored.next_version(id) - 1;
        if self.after.is_some_and(|known| known != newest) {
            return Ok(CampaignOutcome::Refused(CampaignRefusal::OtherVersion(newest)));
        }
        let state = match next_state(last.as_ref(), now) {
            Ok(state) => state,
            Err(refusal) => return Ok(CampaignOutcome::Refused(refusal)),
        };
        let new = New { id, state, definition: &definition, now, author: &self.author };
        let row = match new.row(&stored, self.asked.take_over(self.takes_over_at, self.asked.earliest())) {
            Ok(row) => row,
            Err(refusal) => return Ok(CampaignOutcome::Refused(refusal)),
        };
        let open = OpenCampaigns::of(&stored, now)?;
        let is_over = self.campaign.ends_at().is_some_and(|end| end <= now);
        if state == VersionState::Active && !is_over && open.are_too_many_beside(id) {
            return Ok(CampaignOutcome::Refused(CampaignRefusal::TooManyRunning));
        }
        let warnings = open.warnings(&self.campaign, now, &self.settings);
        let written = write(facts, row, last.as_ref().map(|(row, _)| row), "campaign.put", now, warnings)?;
        Ok(match last {
            Some(_) => CampaignOutcome::Written(written),
            None => CampaignOutcome::Created(written),
        })
    }
}

/// The state of the next version with another definition.
fn next_state(last: Option<&Known>, now: Timestamp) -> Result<VersionState, CampaignRefusal> {
    let Some((_, last)) = last else { return Ok(VersionState::Draft) };
    closed(last, now).map_or(Ok(last.state), Err)
}

/// Writes a new campaign, or a new version of one.
///
/// # Errors
/// When the store fails: nothing was written, or the key of the request tells.
pub async fn put_campaign(
    context: &Context<CampaignOutcome>,
    campaign: Campaign,
    takes_over_at: Option<Timestamp>,
) -> StoreResult<Execution<CampaignOutcome>> {
    put_campaign_after(context, campaign, takes_over_at, None).await
}

/// As [`put_campaign`], unless the campaign has another version than the newest one that the author knows; 0 for a new campaign.
///
/// # Errors
/// As [`put_campaign`].
pub async fn put_campaign_after(
    context: &Context<CampaignOutcome>,
    campaign: Campaign,
    takes_over_at: Option<Timestamp>,
    after: Option<u32>,
) -> StoreResult<Execution<CampaignOutcome>> {
    let asked = RequestTime::of(context);
    let known = context.tenant.state::<RulesCache>().known().await?;
    let author = context.actor.to_string();
    let settings = context.tenant.tenant.settings.clone();
    let put = PutCampaign { campaign, takes_over_at, after, asked, known, author, settings };
    let execution = context.execute(put).await;
    context.tenant.state::<RulesCache>().expire();
    execution
}
