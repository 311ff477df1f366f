//! Runs the back-fill of a tenant that waits, or whose run ended early.

use std::time::{Duration, Instant};

use async_trait::async_trait;
use pointbook_campaigns::{Budget, CampaignId, CampaignVersion};
use pointbook_domain::Timestamp;
use pointbook_store::commands::{Command, CommandError, Facts, Needs};
use pointbook_store::ports::{Query, read_all};
use pointbook_store::schema::rows::BackFillRow;
use pointbook_store::{Clock, Context, StoreError, StoreResult};

use super::command::{GiveAwards, NewAward, continues};
use super::read::back_fill;
use super::request::is_pending;
use super::source::back_fill_source;
use super::state::BackFillState;
use crate::campaigns::back_test::{BackTest, Lack, Lacking, Progress, run_for_back_fill, version_to_test};
use crate::campaigns::rules_cache::RulesCache;
use crate::earning::bonuses::holder;
use crate::earning::reverse_transaction::reversal_source;
use crate::ledger::Terms;

/// The longest run.
const MAX_RUN: Duration = Duration::from_hours(4);
/// How many awards are one commit.
const AWARDS_PER_COMMIT: usize = 100;

/// Runs a back-fill. Returns it after the run. `None` when none waits. A run may be killed at any moment: the next one gives what is
/// missing.
///
/// # Errors
/// When the store fails. If stored data is invalid, the back-fill has failed. Otherwise it waits for the next run.
pub async fn run_pending_back_fill(context: &Context, clock: &dyn Clock) -> StoreResult<Option<BackFillRow>> {
    let query = Query::of::<BackFillRow>("back_fills", &["campaign_id", "version"]);
    let rows: Vec<BackFillRow> = read_all(&*context.tenant.data, query).await?;
    let Some(row) = rows.into_iter().find(is_pending) else { return Ok(None) };
    let id = CampaignId::new(&row.campaign_id).map_err(|error| StoreError::Corrupt(error.to_string()))?;
    let mut run = Run { context, clock, id, row, began_at: Instant::now() };
    let ended = run.work().await;
    match &ended {
        Ok(Some(state)) => run.end(*state).await?,
        Err(StoreError::Corrupt(_)) => run.end(BackFillState::Failed).await?,
        Ok(None) | Err(_) => {}
    }
    ended?;
    back_fill(&context.tenant, &run.id, Some(run.row.version)).await
}

struct Run<'c> {
    context: &'c Context,
    clock: &'c dyn Clock,
    id: CampaignId,
    row: BackFillRow,
    began_at: Instant,
}

impl Run<'_> {
    /// The state at the end. `None` when it was cancelled or replaced.
    async fn work(&mut self) -> StoreResult<Option<BackFillState>> {
        if !self.change(BackFillChange { state: Some(BackFillState::Running), ..self.no_change() }).await? {
            return Ok(None);
        }
        let version = version_to_test(&self.context.tenant, &self.id, Some(self.row.version)).await?;
        let gone = || StoreError::Corrupt(format!("campaign {}: no such version", self.id));
        let version = version.ok_or_else(gone)?;
        let (from, until) = (self.row.events_from, self.row.events_until);
        let test = BackTest { version, from, until };
        let context = self.context;
        let Some((result, lacking)) = run_for_back_fill(context, &test, self).await? else {
            return Ok(self.is_late().then_some(BackFillState::Failed));
        };
        if result.fingerprint != self.row.found_hash {
            return Ok(Some(BackFillState::Outdated));
        }
        self.give(&test.version, lacking).await
    }

    fn is_late(&self) -> bool {
        self.began_at.elapsed() >= MAX_RUN
    }

    async fn give(
        &mut self,
        version: &CampaignVersion,
        lacking: Lacking,
    ) -> StoreResult<Option<BackFillState>> {
        let Lacking { lacks, reversed } = lacking;
        // What an earlier run left out is tried again.
        let counts = Some(Counts { left_out: reversed, to_give: reversed + lacks.len() as u64 });
        if !self.change(BackFillChange { counts, ..self.no_change() }).await? {
            return Ok(None);
        }
        let mut lacks = lacks.into_iter().peekable();
        while lacks.peek().is_some() {
            let some: Vec<Lack> = lacks.by_ref().take(AWARDS_PER_COMMIT).collect();
            let Some(row) = self.give_some(version, some).await? else { return Ok(None) };
            self.row = row;
            if self.is_late() {
                return Ok(Some(BackFillState::Failed));
            }
        }
        Ok(Some(BackFillState::Done))
    }

    async fn give_some(
        &self,
        version: &CampaignVersion,
        lacks: Vec<Lack>,
    ) -> StoreResult<Option<BackFillRow>> {
        let award = |lack: Lack| {
            let source = back_fill_source(&lack.transaction_id, &self.id, self.row.version)
                .map_err(|error| StoreError::Corrupt(error.to_string()))?;
            let reversal = reversal_source(&lack.transaction_id)?;
            Ok(NewAward { lack, id: self.context.ids.transaction_id(), source, reversal })
        };
        let command = GiveAwards {
            row: self.row.clone(),
            campaign: version.campaign.clone(),
            budget: self.budget(version).await?,
            awards: lacks.into_iter().map(award).collect::<StoreResult<_>>()?,
            locale: self.context.tenant.tenant.locale.clone(),
            holder: holder(),
            terms: Terms::of(&self.context.tenant),
            now: self.clock.now(),
        };
        self.context.write(command).await
    }

    /// The audit counts the awards of versions with a budget. The version in force says how large it is.
    async fn budget(&self, version: &CampaignVersion) -> StoreResult<Option<Budget>> {
        let Some(tested) = version.campaign.budget() else { return Ok(None) };
        let in_force = RulesCache::of(&self.context.tenant).await?.budget_at(&self.id, self.clock.now());
        Ok(in_force.or(Some(tested)))
    }

    async fn end(&mut self, state: BackFillState) -> StoreResult<()> {
        let ended_at = Some(self.clock.now());
        self.change(BackFillChange { state: Some(state), ended_at, ..self.no_change() }).await.map(|_| ())
    }

    fn no_change(&self) -> BackFillChange {
        BackFillChange { of: self.row.clone(), state: None, counts: None, ended_at: None }
    }

    /// `false`, without a change, when the back-fill was cancelled or replaced.
    async fn change(&self, change: BackFillChange) -> StoreResult<bool> {
        self.context.tenant.data.write(change).await
    }
}

#[async_trait]
impl Progress for Run<'_> {
    async fn rows_read(&mut self, _: u64) -> StoreResult<bool> {
        if self.is_late() {
            return Ok(false);
        }
        let stored = back_fill(&self.context.tenant, &self.id, Some(self.row.version)).await?;
        Ok(stored.is_some_and(|stored| continues(&stored, &self.row)))
    }
}

/// Changes what a run says of its back-fill, unless it was cancelled or replaced. What was given stays as it is stored: a run that was
/// cut off may still give awards. The audit log has no entry of it.
struct BackFillChange {
    of: BackFillRow,
    state: Option<BackFillState>,
    counts: Option<Counts>,
    ended_at: Option<Timestamp>,
}

/// What a run knows before the first award.
struct Counts {
    left_out: u64,
    /// With those that are left out.
    to_give: u64,
}

impl Command for BackFillChange {
    type Outcome = bool;

    const NAME: &'static str = "change_back_fill";

    fn needs(&self, needs: &mut Needs) {
        needs.table::<BackFillRow>();
    }

    fn decide(&self, facts: &mut Facts) -> Result<bool, CommandError> {
        let stored = facts.table::<BackFillRow>()?;
        let Some(row) = stored.into_iter().find(|stored| continues(stored, &self.of)) else {
            return Ok(false);
        };
        let counts = self.counts.as_ref();
        facts.put(BackFillRow {
            left_out: counts.map_or(row.left_out, |counts| counts.left_out),
            paid_before: counts.map_or(row.paid_before, |counts| counts.paid_before(&row)),
            ended_at: self.ended_at.or(row.ended_at),
            state: self.state.map_or(row.state, |state| state.as_str().to_owned()),
            ..row
        })?;
        Ok(true)
    }
}

impl Counts {
    /// How many rows had their awards before the back-fill.
    fn paid_before(&self, row: &BackFillRow) -> u64 {
        row.found_awards.saturating_sub(self.to_give).saturating_sub(row.given_awards)
    }
}
