//! Tells the starts and ends of campaigns that are due.

use pointbook_store::schema::rows::TenantClock;
use pointbook_store::tenants::set_clock::clock;

use std::collections::BTreeMap;

use pointbook_campaigns::{CampaignVersion, VersionState};
use pointbook_domain::{EventType, FeedEntry, Timestamp};
use pointbook_store::commands::{Command, CommandError, Facts, Needs};
use pointbook_store::ports::{Query, RowReader, read_all};
use pointbook_store::schema::rows::{CampaignRunRow, CampaignVersionRow};
use pointbook_store::{Context, StoreResult};

use super::timeline::{Moment, Timeline};
use crate::campaigns::manage::Stored;
use crate::campaigns::rules_cache::{KnownVersions, RulesCache, version_of};

/// The name of the recurring job that tells the starts and ends. Each change of a campaign makes it due when the new version takes over.
pub const CAMPAIGN_EVENTS_JOB: &str = "campaign-events";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunsTold {
    /// How many events were added.
    pub told: usize,
    /// The time of the tenant that counted.
    pub now: Timestamp,
    /// When the next campaign starts or ends.
    pub next_at: Option<Timestamp>,
}

/// Adds an event for each start and each end that no event has told.
struct TellRuns {
    /// The stored clock decides about the time of the tenant: this process may not know yet that it was set.
    real_now: Timestamp,
    known: KnownVersions,
}

impl Command for TellRuns {
    type Outcome = RunsTold;

    const NAME: &'static str = "tell_runs";

    fn needs(&self, needs: &mut Needs) {
        needs.rows::<CampaignVersionRow>(self.known.newer());
        needs.table::<CampaignRunRow>();
        needs.unlocked::<TenantClock>(&());
    }

    fn decide(&self, facts: &mut Facts) -> Result<RunsTold, CommandError> {
        let now = clock(facts)?.from_real(self.real_now);
        let mut runs: BTreeMap<String, CampaignRunRow> = BTreeMap::new();
        runs.extend(facts.table()?.into_iter().map(|run: CampaignRunRow| (run.campaign_id.clone(), run)));
        let (mut due, mut later) = (Vec::new(), Vec::new());
        let stored = Stored::read(&self.known, facts)?;
        for (id, versions) in stored.by_campaign() {
            if !may_have_run(&versions) {
                continue;
            }
            let told = runs.get(id);
            let Some(run) = Run::of(told, versions, |row| stored.parsed(row))? else { continue };
            let (new, next) = run.look(told.is_some(), now);
            later.extend(next);
            if !new.is_empty() {
                facts.put(run.row(id, now))?;
            }
            due.extend(new.into_iter().map(|(at, kind)| (at, id.to_owned(), kind)));
        }
        due.sort_unstable();
        let told = due.len();
        for (_, id, kind) in due {
            facts.tell(FeedEntry { kind, user_id: None, id: Some(id), row: None });
        }
        Ok(RunsTold { told, now, next_at: later.into_iter().min() })
    }
}

/// The versions of each campaign that may have run.
fn by_campaign<'v>(
    versions: impl IntoIterator<Item = &'v CampaignVersionRow>,
) -> BTreeMap<&'v str, Vec<&'v CampaignVersionRow>> {
    let mut campaigns: BTreeMap<&str, Vec<&CampaignVersionRow>> = BTreeMap::new();
    for row in versions {
        campaigns.entry(&row.campaign_id).or_default().push(row);
    }
    campaigns.retain(|_, rows| may_have_run(rows));
    campaigns
}

fn may_have_run(versions: &[&CampaignVersionRow]) -> bool {
    versions.iter().any(|row| row.state == VersionState::Active.as_str())
}

/// The start of a campaign, in the past or in the future, and its end.
struct Run {
    start: Moment,
    end: Option<Moment>,
}

impl Run {
    /// `None` when events told all of it, or the campaign never starts.
    fn of<E>(
        told: Option<&CampaignRunRow>,
        versions: Vec<&CampaignVersionRow>,
        parsed: impl Fn(&CampaignVersionRow) -> Result<CampaignVersion, E>,
    ) -> Result<Option<Self>, E> {
        if told.is_some_and(|run| run.ended_at.is_some()) {
            return Ok(None);
        }
        let timeline = Timeline::new(versions, parsed)?;
        let started = told.map(|run| Moment { at: run.started_at, version: run.started_version });
        let start = started.or_else(|| timeline.start());
        Ok(start.map(|start| Self { start, end: timeline.end(start.at) }))
    }

    /// The events that are due, and when the next one is.
    fn look(&self, is_start_told: bool, now: Timestamp) -> (Vec<(Timestamp, EventType)>, Option<Timestamp>) {
        let start = (!is_start_told).then_some((self.start.at, EventType::CampaignStarted));
        let end = self.end.map(|end| (end.at, EventType::CampaignEnded));
        let (due, later): (Vec<_>, Vec<_>) = start.into_iter().chain(end).partition(|(at, _)| *at <= now);
        (due, later.first().map(|(at, _)| *at))
    }

    fn row(&self, campaign_id: &str, now: Timestamp) -> CampaignRunRow {
        let end = self.end.filter(|end| end.at <= now);
        CampaignRunRow {
            campaign_id: campaign_id.to_owned(),
            started_at: self.start.at,
            started_version: self.start.version,
            ended_at: end.map(|end| end.at),
            ended_version: end.map(|end| end.version),
        }
    }
}

/// The campaigns that have started, also those whose start or end no event has told yet. `versions` are those of all campaigns.
///
/// # Errors
/// When the store fails, or a stored version cannot be read.
pub async fn started_runs(
    reader: &dyn RowReader,
    versions: &[CampaignVersionRow],
    now: Timestamp,
) -> StoreResult<Vec<CampaignRunRow>> {
    let told = Query::of::<CampaignRunRow>("campaign_runs", &["campaign_id"]);
    let told: Vec<CampaignRunRow> = read_all(reader, told).await?;
    let mut started: BTreeMap<String, CampaignRunRow> = BTreeMap::new();
    started.extend(told.into_iter().map(|run| (run.campaign_id.clone(), run)));
    for (id, versions) in by_campaign(versions) {
        let run = Run::of(started.get(id), versions, version_of)?.filter(|run| run.start.at <= now);
        started.extend(run.map(|run| (id.to_owned(), run.row(id, now))));
    }
    Ok(started.into_values().collect())
}

/// Adds the events of all starts and ends that are due and that no event has told.
///
/// # Errors
/// When the store fails, or a stored version cannot be read.
pub async fn tell_runs(context: &Context) -> StoreResult<RunsTold> {
    let real_now = context.tenant.tenant.clock.to_real(context.now);
    let known = context.tenant.state::<RulesCache>().known().await?;
    context.write(TellRuns { real_now, known }).await
}
