//! The budget of a campaign, which processes spend in shares.
//!
//! A process takes a slice of the budget into its share, and spends the share. So two processes change no common row, except when
//! one takes a slice. When the budget is handed out, a process takes what others have not spent. Every change is part of the
//! commit that writes the awards, and a guard protects it. So a budget is exact, and nothing is lost when a process dies.

use pointbook_campaigns::{Budget, BudgetLeft};
use pointbook_domain::{EventType, FeedEntry};
use pointbook_store::commands::{CommandError, Facts, Needs, Range};
use pointbook_store::schema::rows::{AwardRow, BudgetShare};

/// A slice is this part of the budget, but at least [`SLICE_AWARDS`] awards.
const SLICE_PART: i64 = 100;
const SLICE_AWARDS: i64 = 100;
/// A budget is low when at most this part of it is left.
const LOW_PART: i64 = 10;

/// The notices of a budget, in order.
const LOW: i64 = 1;
const SPENT: i64 = 2;

/// The budget of a campaign, of which a process spends its own share.
pub(crate) fn need(needs: &mut Needs, campaign_id: &str, holder: &str) {
    needs.row::<BudgetShare>(&(campaign_id, holder));
    needs.rows::<BudgetShare>(shares_of(campaign_id));
}

fn shares_of(campaign_id: &str) -> Range {
    Range::default().equal("campaign_id", campaign_id)
}

/// All shares of a budget. `None` when they were not loaded.
fn shares<'f>(facts: &'f Facts, campaign_id: &str) -> Option<Vec<&'f BudgetShare>> {
    facts.rows(&shares_of(campaign_id)).ok()
}

/// What is left of a budget. `None` when its shares were not loaded.
pub(crate) fn left(facts: &Facts, campaign_id: &str, budget: Budget) -> Option<BudgetLeft> {
    let spent = spent(shares(facts, campaign_id)?);
    let left = |most: i64, spent: i64| most.saturating_sub(spent).max(0);
    Some(BudgetLeft {
        awards: awards(budget).map(|most| left(most, spent.0).cast_unsigned()),
        points: budget.points.map(|most| left(most.get(), spent.1)),
    })
}

/// The awards and points that all shares spent.
pub(crate) fn spent<'s>(shares: impl IntoIterator<Item = &'s BudgetShare>) -> (i64, i64) {
    shares.into_iter().fold((0, 0), |(awards, points): (i64, i64), share| {
        (awards.saturating_add(share.spent_awards), points.saturating_add(share.spent_points))
    })
}

fn awards(budget: Budget) -> Option<i64> {
    budget.awards.map(|awards| i64::try_from(awards).unwrap_or(i64::MAX))
}

/// Spends an award from the share of this holder, and takes more of the budget first when the share is too small.
pub(crate) fn spend(
    facts: &mut Facts,
    holder: &str,
    award: &AwardRow,
    budget: Budget,
) -> Result<(), CommandError> {
    let points = award.points.get();
    let mut own = share(facts, &award.campaign_id, holder)?;
    if let Some(most) = awards(budget) {
        let slice = (most / SLICE_PART).max(SLICE_AWARDS);
        take::<Awards>(facts, &mut own, 1, slice, most)?;
    }
    if let Some(most) = budget.points.map(pointbook_domain::Points::get) {
        let slice = (most / SLICE_PART).max(points.saturating_mul(SLICE_AWARDS));
        take::<PointsOf>(facts, &mut own, points, slice, most)?;
    }
    own.spent_awards = own.spent_awards.saturating_add(1);
    own.spent_points = own.spent_points.saturating_add(points);
    facts.put(own)
}

/// Gives back these points of an award, and the award itself when all of it is reversed. Does nothing for a campaign that never had a
/// budget.
pub(crate) fn give_back(
    facts: &mut Facts,
    holder: &str,
    award: &AwardRow,
    (is_whole, points): (bool, i64),
) -> Result<(), CommandError> {
    let has_budget = shares(facts, &award.campaign_id).is_some_and(|shares| !shares.is_empty());
    if !has_budget {
        return Ok(());
    }
    let mut own = share(facts, &award.campaign_id, holder)?;
    let awards = i64::from(is_whole);
    own.spent_awards = own.spent_awards.saturating_sub(awards);
    own.spent_points = own.spent_points.saturating_sub(points);
    own.returned_awards = own.returned_awards.saturating_add(awards);
    own.returned_points = own.returned_points.saturating_add(points);
    facts.put(own)
}

/// Tells once that a budget is low, and once that it is spent.
pub(crate) fn tell(facts: &mut Facts, campaign_id: &str, budget: Budget) -> Result<(), CommandError> {
    let Some(BudgetLeft { awards: awards_left, points: points_left }) = left(facts, campaign_id, budget)
    else {
        return Ok(());
    };
    let awards = awards(budget).zip(awards_left.map(u64::cast_signed));
    let parts = [awards, budget.points.map(pointbook_domain::Points::get).zip(points_left)];
    let notice = parts.into_iter().flatten().map(|(most, left)| notice(most, left)).max().unwrap_or_default();
    let mut sums = share(facts, campaign_id, "")?;
    if notice <= sums.notice {
        return Ok(());
    }
    sums.notice = notice;
    facts.put(sums)?;
    let kind = if notice == SPENT { EventType::CampaignBudgetSpent } else { EventType::CampaignBudgetLow };
    facts.tell(FeedEntry { kind, user_id: None, id: Some(campaign_id.to_owned()), row: None });
    Ok(())
}

fn notice(most: i64, left: i64) -> i64 {
    match left {
        0 => SPENT,
        left if left <= most / LOW_PART => LOW,
        _ => 0,
    }
}

/// The share of a holder, or a new one.
fn share(facts: &Facts, campaign_id: &str, holder: &str) -> Result<BudgetShare, CommandError> {
    let known = facts.get::<BudgetShare>(&(campaign_id, holder))?;
    Ok(known.cloned().unwrap_or_else(|| BudgetShare {
        campaign_id: campaign_id.to_owned(),
        holder: holder.to_owned(),
        taken_awards: 0,
        taken_points: 0,
        spent_awards: 0,
        spent_points: 0,
        returned_awards: 0,
        returned_points: 0,
        notice: 0,
    }))
}

/// One of the two numbers of a share: its awards or its points.
trait Amount {
    fn taken(share: &mut BudgetShare) -> &mut i64;
    fn spent(share: &BudgetShare) -> i64;
}

struct Awards;
struct PointsOf;

impl Amount for Awards {
    fn taken(share: &mut BudgetShare) -> &mut i64 {
        &mut share.taken_awards
    }

    fn spent(share: &BudgetShare) -> i64 {
        share.spent_awards
    }
}

impl Amount for PointsOf {
    fn taken(share: &mut BudgetShare) -> &mut i64 {
        &mut share.taken_points
    }

    fn spent(share: &BudgetShare) -> i64 {
        share.spent_points
    }
}

/// Makes sure that the share has this much: from what is left of the budget, then from what others took.
fn take<A: Amount>(
    facts: &mut Facts,
    own: &mut BudgetShare,
    wanted: i64,
    slice: i64,
    most: i64,
) -> Result<(), CommandError> {
    take_back::<A>(facts, own, most)?;
    let lacking = |own: &mut BudgetShare| wanted.saturating_sub(A::taken(own).saturating_sub(A::spent(own)));
    if lacking(own) <= 0 {
        return Ok(());
    }
    let mut sums = share(facts, &own.campaign_id, "")?;
    let untaken = most.saturating_sub(*A::taken(&mut sums)).max(0);
    let taken = untaken.min(slice.max(lacking(own)));
    if taken > 0 {
        add(A::taken(&mut sums), taken);
        add(A::taken(own), taken);
        facts.put(sums)?;
    }
    take_from_others::<A>(facts, own, lacking)
}

/// Takes back what others took of a budget that was greater, and did not spend. Otherwise each of them could spend at the same time
/// what is left of the smaller one, because no guard protects what another process spends.
fn take_back<A: Amount>(facts: &mut Facts, own: &mut BudgetShare, most: i64) -> Result<(), CommandError> {
    let handed_out = |share: &mut BudgetShare| (*A::taken(share)).max(A::spent(share));
    let mut others = others(facts, own);
    let all = others.iter_mut().map(handed_out).fold(handed_out(own), i64::saturating_add);
    let mut excess = all.saturating_sub(most);
    for mut other in others {
        let back = unspent::<A>(&mut other).min(excess);
        if back > 0 {
            let mut sums = share(facts, &own.campaign_id, "")?;
            add(A::taken(&mut sums), -back);
            add(A::taken(&mut other), -back);
            excess = excess.saturating_sub(back);
            facts.put(sums)?;
            facts.put(other)?;
        }
    }
    Ok(())
}

fn take_from_others<A: Amount>(
    facts: &mut Facts,
    own: &mut BudgetShare,
    lacking: impl Fn(&mut BudgetShare) -> i64,
) -> Result<(), CommandError> {
    for mut other in others(facts, own) {
        let taken = unspent::<A>(&mut other).min(lacking(own));
        if taken > 0 {
            add(A::taken(&mut other), -taken);
            add(A::taken(own), taken);
            facts.put(other)?;
        }
    }
    Ok(())
}

/// The shares of the other holders.
fn others(facts: &Facts, own: &BudgetShare) -> Vec<BudgetShare> {
    let is_other = |share: &&BudgetShare| !share.holder.is_empty() && share.holder != own.holder;
    shares(facts, &own.campaign_id).into_iter().flatten().filter(is_other).cloned().collect()
}

/// What a holder may still spend.
fn unspent<A: Amount>(share: &mut BudgetShare) -> i64 {
    A::taken(share).saturating_sub(A::spent(share)).max(0)
}

/// Sums beyond 64 bits come only from a damaged database. They must not panic.
fn add(sum: &mut i64, more: i64) {
    *sum = sum.saturating_add(more);
}
