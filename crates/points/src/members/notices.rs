//! Tells that points of members end soon, once for each member, last day and notice; and counts what ends within 30 days.
//!
//! A scan looks at all members whose points end soon, in the order of their ids. Each write of it tells what it found and says how far it came. So
//! a scan that was stopped goes on from there, and two processes tell nothing twice.

use std::slice;

use pointbook_domain::expiry::{EndNotice, never, owed};
use pointbook_domain::{Day, EventType, FeedEntry, UserId};
use pointbook_store::commands::{Command, CommandError, Facts, Lane, Needs};
use pointbook_store::ports::{Query, read_all, read_one};
use pointbook_store::schema::rows::{ExpiryNotices, KeptLots, UserExpiry, UserLots};
use pointbook_store::{Context, StoreError, StoreResult};

/// How many days the sum of [`ending_soon`] looks ahead.
pub const SOON_DAYS: u32 = 30;

/// How many members one write looks at.
const MEMBERS_PER_WRITE: u32 = 1_000;

/// How many writes one call makes at most.
const WRITES_PER_CALL: u32 = 100;

/// Tells of a part of the members, if no other process did so meanwhile.
pub struct TellNotices {
    /// How far the scan was.
    pub before: Option<ExpiryNotices>,
    pub after: ExpiryNotices,
    pub notices: Vec<(UserId, EndNotice)>,
}

impl Command for TellNotices {
    /// Whether it told them.
    type Outcome = bool;

    const NAME: &'static str = "tell_notices";

    fn lane(&self) -> Lane {
        Lane::Service
    }

    fn needs(&self, needs: &mut Needs) {
        needs.row::<ExpiryNotices>(&());
    }

    fn decide(&self, facts: &mut Facts) -> Result<bool, CommandError> {
        if facts.get::<ExpiryNotices>(&())? != self.before.as_ref() {
            return Ok(false);
        }
        for (user_id, notice) in &self.notices {
            let (kind, id) = (EventType::PointsExpiring, Some(notice.to_string()));
            facts.tell(FeedEntry { kind, user_id: Some(user_id.clone()), id, row: None });
        }
        facts.put(self.after.clone())?;
        Ok(true)
    }
}

/// Goes on with the scan of this local day, or begins it. Returns whether the scan is complete.
///
/// # Errors
/// When the store fails. What was told before stays so, and is not told again.
pub async fn tell_notices(context: &Context, today: Day) -> StoreResult<bool> {
    let days = &context.tenant.tenant.settings.expiry_notice_days;
    for _ in 0..WRITES_PER_CALL {
        let before = state(context).await?;
        let Some(scan) = next_scan(before.as_ref(), today) else { return Ok(true) };
        let (after, notices) = part(context, scan, days).await?;
        context.write(TellNotices { before, after, notices }).await?;
    }
    Ok(false)
}

async fn state(context: &Context) -> StoreResult<Option<ExpiryNotices>> {
    read_one(&*context.tenant.data, Query::of::<ExpiryNotices>("expiry_notices", &[])).await
}

/// How far the present scan is. `None` when that of today is complete.
fn next_scan(before: Option<&ExpiryNotices>, today: Day) -> Option<ExpiryNotices> {
    let yesterday = || today.as_days().checked_sub(1).and_then(Day::from_days).unwrap_or(today);
    let Some(before) = before.cloned() else {
        let (told_on, after_user) = (yesterday(), String::new());
        return Some(ExpiryNotices {
            told_on,
            telling_on: today,
            after_user,
            counted: 0,
            ending_points: None,
        });
    };
    match before {
        ExpiryNotices { told_on, telling_on, .. } if told_on != telling_on => Some(before),
        ExpiryNotices { told_on, .. } if told_on < today => {
            Some(ExpiryNotices { telling_on: today, ..before })
        }
        _ => None,
    }
}

/// Looks at the next members.
async fn part(
    context: &Context,
    mut scan: ExpiryNotices,
    days: &[u32],
) -> StoreResult<(ExpiryNotices, Vec<(UserId, EndNotice)>)> {
    let horizon = |days: u32| {
        let last = i32::try_from(days).ok().and_then(|days| scan.telling_on.as_days().checked_add(days));
        last.and_then(Day::from_days).unwrap_or_else(never)
    };
    let soon = horizon(SOON_DAYS);
    let last = horizon(days.iter().copied().chain([SOON_DAYS]).max().unwrap_or(SOON_DAYS));
    let ids = Query::of::<UserExpiry>("members_who_end", &["id"]).between("next_expiry_on", [&owed(), &last]);
    let after = UserId::new(scan.after_user.as_str()).ok();
    let ids = ids.after(after.as_ref()).limit(MEMBERS_PER_WRITE);
    let ids: Vec<UserExpiry> = read_all(&*context.tenant.data, ids).await?;
    let Some(last) = ids.last() else {
        let (told_on, ending_points) = (scan.telling_on, Some(scan.counted));
        let scan = ExpiryNotices { told_on, after_user: String::new(), counted: 0, ending_points, ..scan };
        return Ok((scan, Vec::new()));
    };
    last.id.as_str().clone_into(&mut scan.after_user);
    let mut notices = Vec::new();
    for UserLots { id, kept, .. } in lots_of(context, &ids).await? {
        let Some(KeptLots { lots, .. }) = kept else { continue };
        let is_soon = |(last_day, _): &(Day, i64)| (scan.telling_on..=soon).contains(last_day);
        let soon: i64 = lots.ending().filter(is_soon).map(|(_, points)| points).sum();
        scan.counted = scan.counted.saturating_add(soon);
        let due = EndNotice::due(&lots, days, (scan.told_on, scan.telling_on));
        notices.extend(due.into_iter().map(|notice| (id.clone(), notice)));
    }
    Ok((scan, notices))
}

/// The lots of these members. Those of a damaged row are left out: the sweep has said which.
async fn lots_of(context: &Context, members: &[UserExpiry]) -> StoreResult<Vec<UserLots>> {
    let of = |members: &[UserExpiry]| {
        let ids = members.iter().map(|member| member.id.as_str());
        Query::of::<UserLots>("lots_of_members", &["id"]).one_of("id", ids)
    };
    let data = &*context.tenant.data;
    match read_all(data, of(members)).await {
        Err(StoreError::Corrupt(_)) => {}
        read => return read,
    }
    let mut all = Vec::new();
    for member in members {
        match read_one(data, of(slice::from_ref(member))).await {
            Err(StoreError::Corrupt(_)) => {}
            read => all.extend(read?),
        }
    }
    Ok(all)
}

/// The points of all members that end within [`SOON_DAYS`] days, as they were on a local day: that of the last complete scan. `None` before that.
///
/// # Errors
/// When the store fails.
pub async fn ending_soon(context: &Context) -> StoreResult<Option<(i64, Day)>> {
    Ok(state(context).await?.and_then(|state| Some((state.ending_points?, state.told_on))))
}
