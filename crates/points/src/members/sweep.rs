//! Ends the points of all members that are over, soon after the midnight at which they end, so that figures and lists need not wait for the
//! member's next write. Gives lots to members who have none when points begin to end.

use async_trait::async_trait;
use pointbook_domain::expiry::{never, owed};
use pointbook_domain::{Day, Timestamp};
use pointbook_store::job::{TARGET, seconds_until};
use pointbook_store::ports::{Query, read_all, read_one};
use pointbook_store::schema::rows::UserExpiry;
use pointbook_store::{Clock, Context, Job, JobError, Next, Schedule, StoreResult};

use crate::ledger::Terms;
use crate::members::read::EndPoints;

/// The longest pause: members whom a back office adds without points get their lots then.
const HOUR_SECONDS: u32 = 3_600;

/// How many members one write changes, so that other writes wait only briefly.
const MEMBERS_PER_WRITE: u32 = 100;

/// How many writes a run makes at most.
const WRITES_PER_RUN: u32 = 200;

pub(crate) struct EndAllPoints;

#[async_trait]
impl Job for EndAllPoints {
    fn name(&self) -> &'static str {
        "end-points"
    }

    fn schedule(&self) -> Schedule {
        Schedule::Every { seconds: HOUR_SECONDS }
    }

    async fn run(&self, context: &Context, _: &dyn Clock) -> Result<Next, JobError> {
        let swept = end_all(context).await?;
        if swept.members > 0 {
            let (tenant, members) = (context.tenant.name(), swept.members);
            tracing::info!(target: TARGET, %tenant, members, "points that are over were ended");
        }
        Ok(match swept.next_at {
            Some(next_at) => Next::After(seconds_until(context.now, next_at).min(HOUR_SECONDS)),
            None => Next::Again,
        })
    }
}

/// What a sweep did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Swept {
    /// How many members it changed.
    pub members: u64,
    /// When points end next, or the end of time. `None` when there may be more members to change.
    pub next_at: Option<Timestamp>,
}

/// Changes up to some thousands of members. A repeat goes on.
///
/// # Errors
/// When the store fails; what was changed before stays so.
pub async fn end_all(context: &Context) -> StoreResult<Swept> {
    let (data, terms) = (&context.tenant.data, Terms::of(&context.tenant));
    let (mut members, today) = (0, terms.day(context.now));
    for _ in 0..WRITES_PER_RUN {
        let users = match of_members(context, Some(today)).await? {
            due if due.is_empty() && terms.has_end() => of_members(context, None).await?,
            due => due,
        };
        if users.is_empty() {
            let first = Query::of::<UserExpiry>("next_expiry", &["next_expiry_on", "id"]);
            let first: Option<UserExpiry> =
                read_one(&**data, first.null("next_expiry_on", Some(false))).await?;
            let next = first.and_then(|user| user.next_expiry_on).unwrap_or_else(never);
            return Ok(Swept { members, next_at: Some(terms.end_of(next)) });
        }
        let (users, terms) = (users.into_iter().map(|user| user.id).collect(), terms.clone());
        members += u64::from(context.write(EndPoints { users, terms, at: context.now }).await?);
    }
    Ok(Swept { members, next_at: None })
}

/// Some members whose points ended before this day, or some who have no lots.
async fn of_members(context: &Context, ended_before: Option<Day>) -> StoreResult<Vec<UserExpiry>> {
    let users = Query::of::<UserExpiry>("members_to_end", &["next_expiry_on", "id"]).limit(MEMBERS_PER_WRITE);
    let users = match ended_before.map(|day| day.as_days().checked_sub(1).and_then(Day::from_days)) {
        Some(last) => users.between("next_expiry_on", [&owed(), &last.unwrap_or_else(owed)]),
        None => users.null("next_expiry_on", Some(true)),
    };
    read_all(&*context.tenant.data, users).await
}
