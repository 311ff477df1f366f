//! Records held activities when their time has come.

use async_trait::async_trait;
use pointbook_domain::Timestamp;
use pointbook_store::commands::{Command, CommandError, Facts, Lane, Needs};
use pointbook_store::job::{TARGET, seconds_until};
use pointbook_store::ports::{Query, read_all, read_one};
use pointbook_store::schema::rows::{HeldActivity, HeldKey, UserRow};
use pointbook_store::{Clock, Context, Job, JobError, Next, Schedule, StoreError, StoreResult};

use super::{move_pending, pending_points, transaction};
use crate::earning::bonuses::{Earning, current_rules};
use crate::earning::record_activity::record;
use crate::ledger;
use crate::ledger::{Addition, Overdraft, Recording, Reported, Terms};

/// The name of the job.
pub(crate) const RELEASE_JOB: &str = "release-held";

/// The longest pause.
pub(super) const HOUR_SECONDS: u32 = 3_600;

/// How many keys are read at a time.
const AT_A_TIME: u32 = 200;

/// How many activities one call releases at most.
const PER_CALL: u32 = 5_000;

pub(crate) struct ReleaseHeld;

#[async_trait]
impl Job for ReleaseHeld {
    fn name(&self) -> &'static str {
        RELEASE_JOB
    }

    fn schedule(&self) -> Schedule {
        Schedule::Every { seconds: HOUR_SECONDS }
    }

    async fn run(&self, context: &Context, _: &dyn Clock) -> Result<Next, JobError> {
        let Released { activities, next_at } = release_due(context).await?;
        if activities > 0 {
            let tenant = context.tenant.name();
            tracing::info!(target: TARGET, %tenant, activities, "held activities were released");
        }
        Ok(match next_at {
            Some(next_at) => Next::After(seconds_until(context.now, next_at).min(HOUR_SECONDS)),
            None => Next::Again,
        })
    }
}

/// What a call released.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Released {
    pub activities: u32,
    /// When the next one is due, or the end of time. `None` when more may be due already.
    pub next_at: Option<Timestamp>,
}

/// Records an activity that was held until now.
pub struct ReleaseActivity {
    held: HeldActivity,
    reported: Reported,
    /// The campaigns that add bonuses, as they were asked when the activity was reported.
    earning: Option<Earning>,
    terms: Terms,
    at: Timestamp,
}

impl ReleaseActivity {
    pub fn new(held: HeldActivity, earning: Option<Earning>, terms: Terms, at: Timestamp) -> Self {
        let reported = Reported { user_id: held.user_id.clone(), transaction: transaction(&held).into() };
        let earning = earning.filter(|_| held.asks_campaigns);
        Self { held, reported, earning, terms, at }
    }
}

impl Command for ReleaseActivity {
    /// Whether it recorded the activity.
    type Outcome = bool;

    const NAME: &'static str = "release_activity";

    fn lane(&self) -> Lane {
        Lane::User(self.held.user_id.clone())
    }

    fn needs(&self, needs: &mut Needs) {
        ledger::need_reported(needs, &self.reported);
        let HeldActivity { user_id, kind, source_id, .. } = &self.held;
        needs.row::<HeldActivity>(&(user_id, kind, source_id));
        if let Some(earning) = &self.earning {
            earning.needs(user_id, &self.reported.transaction.activity, needs);
        }
    }

    fn further_needs(&self, facts: &Facts, needs: &mut Needs) {
        self.terms.need_due(facts, needs, &self.held.user_id, self.at);
    }

    fn decide(&self, facts: &mut Facts) -> Result<bool, CommandError> {
        let HeldActivity { user_id, kind, source_id, held_at, .. } = &self.held;
        let held = facts.get::<HeldActivity>(&(user_id, kind, source_id))?.cloned();
        let Some(held) = held.filter(|held| held.release_at.is_some_and(|release_at| release_at <= self.at))
        else {
            return Ok(false);
        };
        // The explanation of the transaction needs its time.
        facts.put(HeldActivity { release_at: None, ..held.clone() })?;
        if let Some(user) = facts.get::<UserRow>(user_id)?.cloned() {
            move_pending(facts, user, -pending_points(&held))?;
        }
        let wrong = |what| Err(CommandError::in_row("held_activities", user_id.as_str(), what));
        let recording = Recording { at: self.at, overdraft: Overdraft::Allowed, terms: &self.terms };
        match record(&self.reported, self.earning.as_ref(), recording, *held_at, facts)? {
            Some((Addition::Added { .. }, _)) => Ok(true),
            Some((Addition::AlreadyRecorded(_), _)) => wrong("has the key of another transaction"),
            Some((Addition::Refused(_), _)) => wrong("has points beyond the largest balance"),
            None => wrong("has the key of an order"),
        }
    }
}

/// Releases up to 5,000 activities whose time has come. A repeat goes on.
///
/// # Errors
/// When the store fails; what was released before stays so.
pub async fn release_due(context: &Context) -> StoreResult<Released> {
    let (mut activities, mut passed) = (0, 0);
    let data = &*context.tenant.data;
    let waiting = || Query::of::<HeldKey>("held_activities", &["release_at", "user_id", "type", "source_id"]);
    let due = waiting().between("release_at", [&Timestamp::MIN, &context.now]);
    let mut rules = None;
    while activities + passed < PER_CALL {
        // Whatever cannot be released is passed, so that all others are.
        let keys: Vec<HeldKey> = read_all(data, due.clone().skip(passed.into()).limit(AT_A_TIME)).await?;
        if keys.is_empty() {
            let next = waiting().null("release_at", Some(false)).skip(passed.into());
            let next: Option<HeldKey> = read_one(data, next).await?;
            let next_at = next.and_then(|held| held.release_at).unwrap_or(Timestamp::MAX);
            return Ok(Released { activities, next_at: Some(next_at) });
        }
        if rules.is_none() {
            rules = Some(current_rules(context).await?);
        }
        let terms = Terms::of(&context.tenant);
        // In the order of their times, which decides who gets the last of a budget.
        for key in &keys {
            match release(context, key, rules.as_ref(), &terms).await {
                Ok(is_recorded) => activities += u32::from(is_recorded),
                Err(StoreError::Corrupt(what)) => {
                    passed += 1;
                    let tenant = context.tenant.name();
                    tracing::error!(target: TARGET, %tenant, what, "a held activity cannot be released");
                }
                Err(error) => return Err(error),
            }
        }
    }
    Ok(Released { activities, next_at: None })
}

async fn release(
    context: &Context,
    HeldKey { user_id, kind, source_id, release_at: _ }: &HeldKey,
    rules: Option<&Earning>,
    terms: &Terms,
) -> StoreResult<bool> {
    let held = Query::of::<HeldActivity>("held_activity", &["user_id", "type", "source_id"]);
    let held =
        held.equal("user_id", Some(user_id)).equal("type", Some(kind)).equal("source_id", Some(source_id));
    let held: Option<HeldActivity> = read_one(&*context.tenant.data, held).await?;
    // Another process may have released it.
    let Some(held) = held else { return Ok(false) };
    context.write(ReleaseActivity::new(held, rules.cloned(), terms.clone(), context.now)).await
}
