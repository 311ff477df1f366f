//! Ends the points of all members that are over, soon after the midnight at which they end, so that figures and lists need not wait for the
//! member's next write. Gives lots to members who have none when points begin to end. Then tells whose points end soon.

use std::slice;

use async_trait::async_trait;
use pointbook_domain::expiry::{never, owed};
use pointbook_domain::{Day, Timestamp, UserId};
use pointbook_store::job::{TARGET, seconds_until};
use pointbook_store::ports::{Query, read_all, read_one};
use pointbook_store::schema::rows::UserExpiry;
use pointbook_store::{Clock, Context, Job, JobError, Next, Schedule, StoreError, StoreResult};

use crate::ledger::Terms;
use crate::members::notices::tell_notices;
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
        let Some(next_at) = swept.next_at else { return Ok(Next::Again) };
        let terms = Terms::of(&context.tenant);
        let has_ends = terms.has_end() || swept.has_ends;
        if has_ends && !tell_notices(context, terms.day(context.now)).await? {
            return Ok(Next::Again);
        }
        Ok(Next::After(seconds_until(context.now, next_at).min(HOUR_SECONDS)))
    }
}

/// What a sweep did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Swept {
    /// How many members it changed.
    pub members: u64,
    /// When points end next, or the end of time. `None` when there may be more members to change.
    pub next_at: Option<Timestamp>,
    /// Whether points of a member end some day.
    pub has_ends: bool,
}

/// Changes up to 20,000 members. A repeat goes on.
///
/// # Errors
/// When the store fails; what was changed before stays so.
pub async fn end_all(context: &Context) -> StoreResult<Swept> {
    let (terms, mut members, mut writes) = (Terms::of(&context.tenant), 0, 0);
    let today = terms.day(context.now);
    let due = Query::of::<UserExpiry>("members_to_end", &["next_expiry_on", "id"]);
    let yesterday = today.as_days().checked_sub(1).and_then(Day::from_days).unwrap_or_else(owed);
    let due = due.between("next_expiry_on", [&owed(), &yesterday]);
    let new = Query::of::<UserExpiry>("members_without_lots", &["id"]).null("next_expiry_on", Some(true));
    let all = [Some(due), terms.has_end().then_some(new)];
    for query in all.into_iter().flatten() {
        // Whoever cannot be changed is passed, so that all others are.
        let mut last: Option<UserExpiry> = None;
        loop {
            let after = last.as_ref().map(|user| (user.next_expiry_on, &user.id));
            let page = match after {
                Some((Some(day), id)) => query.clone().after(Some(&(day, id))),
                Some((None, id)) => query.clone().after(Some(id)),
                None => query.clone(),
            };
            let users: Vec<UserExpiry> =
                read_all(&*context.tenant.data, page.limit(MEMBERS_PER_WRITE)).await?;
            last = users.last().cloned();
            if last.is_none() {
                break;
            }
            if writes == WRITES_PER_RUN {
                return Ok(Swept { members, next_at: None, has_ends: true });
            }
            writes += 1;
            members += u64::from(end(context, &terms, users).await?);
        }
    }
    let next = Query::of::<UserExpiry>("next_expiry", &["next_expiry_on", "id"]);
    let next = next.between("next_expiry_on", [&today, &never()]);
    let next: Option<UserExpiry> = read_one(&*context.tenant.data, next).await?;
    let next = next.and_then(|user| user.next_expiry_on).unwrap_or_else(never);
    Ok(Swept { members, next_at: Some(terms.end_of(next)), has_ends: next < never() })
}

/// Ends the points of these members. When a row of one of them is damaged, it ends those of the others, and says which.
async fn end(context: &Context, terms: &Terms, users: Vec<UserExpiry>) -> StoreResult<u32> {
    let ids: Vec<UserId> = users.into_iter().map(|user| user.id).collect();
    let command =
        |users: &[UserId]| EndPoints { users: users.to_vec(), terms: terms.clone(), at: context.now };
    match context.write(command(&ids)).await {
        Err(StoreError::Corrupt(_)) => {}
        changed => return changed,
    }
    let mut changed = 0;
    for id in &ids {
        match context.write(command(slice::from_ref(id))).await {
            Ok(one) => changed += one,
            Err(StoreError::Corrupt(what)) => {
                let tenant = context.tenant.name();
                tracing::error!(target: TARGET, %tenant, what, "points of a member cannot be ended");
            }
            Err(error) => return Err(error),
        }
    }
    Ok(changed)
}
