//! Changes the state of a campaign.

use pointbook_store::schema::rows::TenantClock;

use pointbook_campaigns::{CampaignId, CampaignVersion, VersionState};
use pointbook_domain::{TenantSettings, Timestamp};
use pointbook_store::commands::{Command, CommandError, Facts, Needs};
use pointbook_store::ports::Execution;
use pointbook_store::schema::rows::CampaignVersionRow;
use pointbook_store::{Context, StoreResult};

use super::change::{CampaignOutcome, write};
use super::open::OpenCampaigns;
use super::refusal::{CampaignRefusal, closed};
use super::state::{CampaignStep, ShownState, has_ended};
use super::stored::{Known, New, RequestTime, Stored};
use super::terms;
use crate::campaigns::rules_cache::{KnownVersions, RulesCache};

/// Changes the state of a campaign.
pub struct StepCampaign {
    pub id: CampaignId,
    pub step: CampaignStep,
    /// When the state changes. `None` for as soon as possible. Only a draft may be scheduled for a time in the past: then it gives
    /// bonuses for events since that time that are recorded from now on.
    pub takes_over_at: Option<Timestamp>,
    pub asked: RequestTime,
    pub known: KnownVersions,
    pub author: String,
    pub settings: TenantSettings,
}

impl Command for StepCampaign {
    type Outcome = CampaignOutcome;

    const NAME: &'static str = "step_campaign";

    fn needs(&self, needs: &mut Needs) {
        needs.rows::<CampaignVersionRow>(self.known.newer());
        needs.unlocked::<TenantClock>(&());
    }

    fn decide(&self, facts: &mut Facts) -> Result<CampaignOutcome, CommandError> {
        let stored = Stored::read(&self.known, facts)?;
        let now = self.asked.now;
        let Some(last) = stored.last(self.id.as_str())? else { return Ok(CampaignOutcome::NotFound) };
        let earliest = self.asked.earliest();
        let from = match self.take_over(earliest) {
            Ok(from) => from,
            Err(refusal) => return Ok(CampaignOutcome::Refused(refusal)),
        };
        let steps = self.steps(&stored, &last.1, from, earliest);
        if let Some(refusal) = self.refusal(&stored, &last, from, &steps)? {
            return Ok(CampaignOutcome::Refused(refusal));
        }
        let activates = steps.iter().any(|step| step.state == VersionState::Active);
        let open = activates.then(|| OpenCampaigns::of(&stored, now)).transpose()?;
        if open.as_ref().is_some_and(|open| open.are_too_many_beside(self.id.as_str())) {
            return Ok(CampaignOutcome::Refused(CampaignRefusal::TooManyRunning));
        }
        let open = open.filter(|_| self.step == CampaignStep::Schedule);
        let warnings = open.map(|open| open.warnings(&last.1.campaign, now, &self.settings));
        let warnings = warnings.unwrap_or_default();
        let mut first = None;
        let (revision, version) = (stored.next_revision(), stored.next_version(self.id.as_str()));
        for (place, step) in (0_u32..).zip(&steps) {
            let Step { before, definition, state, from } = *step;
            let new = New { id: self.id.as_str(), state, definition, now, author: &self.author };
            let new = new.version(revision + u64::from(place), version + place, from);
            let written = write(facts, new, Some(before), self.step.operation(), now, warnings.clone())?;
            first.get_or_insert(written);
        }
        Ok(first.map_or(CampaignOutcome::NotFound, CampaignOutcome::Written))
    }
}

/// One version that a step adds.
#[derive(Clone, Copy)]
struct Step<'s> {
    /// The version that it replaces.
    before: &'s CampaignVersionRow,
    definition: &'s str,
    state: VersionState,
    from: Timestamp,
}

impl StepCampaign {
    fn take_over(&self, earliest: Timestamp) -> Result<Timestamp, CampaignRefusal> {
        match (self.step, self.takes_over_at) {
            (CampaignStep::Schedule, Some(at)) if at < self.asked.now => Ok(at),
            (_, at) => self.asked.take_over(at, earliest),
        }
    }

    /// The steps of the version in force at a time, and of each version that takes over later, as far as the step is possible. So a
    /// pause also pauses what is planned.
    fn steps<'s>(
        &self,
        stored: &'s Stored,
        last: &CampaignVersion,
        from: Timestamp,
        earliest: Timestamp,
    ) -> Vec<Step<'s>> {
        let of_campaign = || stored.of(self.id.as_str());
        // A draft may be scheduled for a time before it was written. Then its newest definition counts from that time on, and not
        // the definitions before it, which may have been wrong.
        let counts_at = from.max(earliest);
        let current = terms::in_force_or_first(of_campaign(), counts_at);
        let definition = |row: &'s CampaignVersionRow, from: Timestamp| match current {
            Some(current) if self.step == CampaignStep::Schedule && from <= counts_at => &current.definition,
            _ => &row.definition,
        };
        let in_force = terms::in_force(of_campaign(), from).or(current).map(|row| (row, from));
        let planned = terms::planned(of_campaign(), from).into_iter().map(|row| (row, row.valid_from));
        let has_ended = has_ended(last, self.asked.now);
        let steps = in_force.into_iter().chain(planned).filter_map(|(before, from)| {
            let state = self.step.applied_to(VersionState::parse(&before.state)?, last.state, has_ended)?;
            Some(Step { before, definition: definition(before, from), state, from })
        });
        steps.collect()
    }

    fn refusal(
        &self,
        stored: &Stored,
        (newest, last): &Known,
        from: Timestamp,
        steps: &[Step<'_>],
    ) -> Result<Option<CampaignRefusal>, CommandError> {
        if steps.is_empty() {
            return self.impossible(stored, last, from.max(self.asked.now)).map(Some);
        }
        let room = stored.has_room(self.id.as_str(), &newest.definition, steps.len());
        Ok(room.err().filter(|_| !self.stops_at_once()))
    }

    fn impossible(
        &self,
        stored: &Stored,
        last: &CampaignVersion,
        at: Timestamp,
    ) -> Result<CampaignRefusal, CommandError> {
        if let Some(refusal @ CampaignRefusal::Closing(..)) = closed(last, at) {
            return Ok(refusal);
        }
        let shown =
            terms::shown(stored.of(self.id.as_str()), at).map(|row| stored.parsed(row)).transpose()?;
        let state = ShownState::of(shown.as_ref().unwrap_or(last), at);
        Ok(CampaignRefusal::WrongStep(self.step, state))
    }

    /// Such a step is possible at every limit, so that a campaign can always be stopped. It stays bounded: the same stop is possible
    /// only once until a resume, which needs room. A planned stop needs room too, because an earlier one can always follow it.
    fn stops_at_once(&self) -> bool {
        match self.step {
            CampaignStep::Pause | CampaignStep::End | CampaignStep::Archive => self.takes_over_at.is_none(),
            CampaignStep::Schedule | CampaignStep::Resume => false,
        }
    }
}

impl CampaignStep {
    fn operation(self) -> &'static str {
        match self {
            Self::Schedule => "campaign.schedule",
            Self::Pause => "campaign.pause",
            Self::Resume => "campaign.resume",
            Self::End => "campaign.end",
            Self::Archive => "campaign.archive",
        }
    }
}

/// Changes the state of a campaign.
///
/// # Errors
/// As [`put_campaign`](super::put_campaign).
pub async fn step_campaign(
    context: &Context<CampaignOutcome>,
    id: CampaignId,
    step: CampaignStep,
    takes_over_at: Option<Timestamp>,
) -> StoreResult<Execution<CampaignOutcome>> {
    let asked = RequestTime::of(context);
    let known = context.tenant.state::<RulesCache>().known().await?;
    let author = context.actor.to_string();
    let settings = context.tenant.tenant.settings.clone();
    let execution =
        context.execute(StepCampaign { id, step, takes_over_at, asked, known, author, settings }).await;
    context.tenant.state::<RulesCache>().expire();
    execution
}
