//! What the campaigns ask of a user's past, out of the rows before a transaction.

use std::collections::{BTreeSet, HashMap};

use pointbook_campaigns::{
    BudgetLeft, CampaignId, Counters, OrdinalOf, PeriodKey, Reason, Usage, Verdict, VerdictResult,
};
use pointbook_domain::activity::REVERSAL_SUFFIX;
use pointbook_domain::points::MAX_POINTS;
use pointbook_domain::{Activity, ActivityType, Day, PageNumber, PageRequest, PageSize, Timestamp, UserId};
use pointbook_store::StoreResult;
use pointbook_store::ports::{LedgerEntry, Query, TenantData, read_all};
use pointbook_store::schema::rows::AwardRow;

use crate::earning::bonuses::{Earning, awards_of, ever};
use crate::earning::counters::usage;

/// The past of a user before a ledger row.
pub(super) struct Past<'p> {
    earning: &'p Earning,
    user_id: &'p UserId,
    at: Timestamp,
    /// The positions of the row: of its type, and of all.
    ordinals: (u64, u64),
    used: HashMap<(CampaignId, PeriodKey), Usage>,
    birthdays: HashMap<CampaignId, Option<Day>>,
    /// The awards of the row.
    awards: &'p [AwardRow],
    /// The campaigns whose budget was smaller than what the other limits leave.
    spent: BTreeSet<CampaignId>,
}

impl<'p> Past<'p> {
    pub(super) async fn read(
        data: &dyn TenantData,
        earning: &'p Earning,
        (user_id, seq): (&'p UserId, u64),
        activity: &Activity,
        awards: &'p [AwardRow],
    ) -> StoreResult<Self> {
        let needs = earning.rules.needs(&earning.event(activity));
        let (mut used, mut birthdays) = (HashMap::new(), HashMap::new());
        let ever = ever(activity);
        for (id, period) in needs.used {
            let earlier = earlier_awards(data, user_id, seq, &id, period).await?;
            used.insert((id, period), usage(&earlier));
        }
        for id in needs.last_birthdays {
            let earlier = earlier_awards(data, user_id, seq, &id, ever).await?;
            birthdays.insert(id, earlier.iter().filter_map(|award| award.birthday).max());
        }
        let mut ordinals = (0, 0);
        if !needs.ordinals.is_empty() {
            let of_type = count_earned(data, user_id, seq, Some(&activity.kind)).await?;
            let orders = count_earned(data, user_id, seq, Some(&ActivityType::order())).await?;
            let all = count_earned(data, user_id, seq, None).await?;
            ordinals = (of_type, all.saturating_sub(orders));
        }
        let (at, spent) = (activity.created_at, BTreeSet::new());
        Ok(Self { earning, user_id, at, ordinals, used, birthdays, awards, spent })
    }

    /// Finds campaigns whose budget left less than the verdicts say. Returns whether it found new ones.
    ///
    /// A campaign whose award is smaller than its verdict had no more budget. But the ceiling shares its points among all awards, so
    /// that is certain only after each group has the winner that it had: the budget of a campaign was spent when the row has an award
    /// of one that lost to it.
    pub(super) fn find_spent_budgets(&mut self, verdicts: &[Verdict]) -> bool {
        let lost = |verdict: &Verdict| match &verdict.result {
            VerdictResult::Not(Reason::LostTo(winner)) if self.awarded(&verdict.campaign).is_some() => {
                Some(winner.clone())
            }
            _ => None,
        };
        let winners = verdicts.iter().filter_map(lost).collect();
        if self.add_spent(winners) {
            return true;
        }
        let gives_more = |verdict: &&Verdict| match verdict.result {
            VerdictResult::Applied { points } | VerdictResult::Clipped { points, .. } => {
                points > self.awarded(&verdict.campaign).map_or(0, |award| award.points.get())
            }
            VerdictResult::Not(_) => false,
        };
        let giving_more =
            verdicts.iter().filter(gives_more).map(|verdict| verdict.campaign.clone()).collect();
        self.add_spent(giving_more)
    }

    /// Whether one of them was not known, and has a budget.
    fn add_spent(&mut self, campaigns: Vec<CampaignId>) -> bool {
        let before = self.spent.len();
        let has_budget = |id: &CampaignId| self.earning.rules.budget_at(id, self.at).is_some();
        self.spent.extend(campaigns.into_iter().filter(has_budget));
        self.spent.len() > before
    }

    fn awarded(&self, campaign: &CampaignId) -> Option<&AwardRow> {
        self.awards.iter().find(|award| award.campaign_id == campaign.as_str())
    }
}

async fn earlier_awards(
    data: &dyn TenantData,
    user_id: &UserId,
    seq: u64,
    campaign: &CampaignId,
    period: PeriodKey,
) -> StoreResult<Vec<AwardRow>> {
    let awards = awards_of(user_id, campaign, period).query::<AwardRow>("awards");
    let mut awards: Vec<AwardRow> = read_all(data, awards).await?;
    awards.retain(|award| award.seq < seq);
    Ok(awards)
}

/// How many rows up to this one have base points above 0 and are no reversals.
async fn count_earned(
    data: &dyn TenantData,
    user_id: &UserId,
    seq: u64,
    kind: Option<&ActivityType>,
) -> StoreResult<u64> {
    let rows = Query::of::<LedgerEntry>("earned_before", &["seq"]).equal("user_id", Some(user_id));
    let rows = rows.equal("type", kind).between("seq", [&1, &seq]).between("points", [&1, &MAX_POINTS]);
    let page = PageRequest { number: PageNumber::FIRST, size: PageSize::DEFAULT };
    let counted = data.row_page(&rows, page).await?.total;
    // Only a reversal of an activity that took points is among them, so these rows are few. The condition ignores case.
    let like_reversals: Vec<LedgerEntry> =
        read_all(data, rows.has_part(&["source_id"], Some(REVERSAL_SUFFIX))).await?;
    let reversals = like_reversals.iter().filter(|entry| entry.transaction.activity.is_reversal()).count();
    Ok(counted.saturating_sub(reversals as u64))
}

impl Counters for Past<'_> {
    fn ordinal(&self, of: OrdinalOf) -> u64 {
        match of {
            OrdinalOf::Type => self.ordinals.0,
            OrdinalOf::All => self.ordinals.1,
        }
    }

    fn used(&self, campaign: &CampaignId, period: PeriodKey) -> Usage {
        self.used.get(&(campaign.clone(), period)).copied().unwrap_or_default()
    }

    fn last_birthday(&self, campaign: &CampaignId) -> Option<Day> {
        self.birthdays.get(campaign).copied().flatten()
    }

    /// The budget of that moment is not stored. Of a campaign that gives more than the award, it was the award.
    fn budget(&self, campaign: &CampaignId) -> BudgetLeft {
        let budget = self.earning.rules.budget_at(campaign, self.at);
        let Some(budget) = budget.filter(|_| self.spent.contains(campaign)) else {
            return BudgetLeft::default();
        };
        let award = self.awarded(campaign);
        let points = award.map_or(0, |award| award.points.get());
        BudgetLeft {
            awards: budget.awards.map(|_| u64::from(award.is_some())),
            points: budget.points.map(|_| points),
        }
    }

    fn is_control(&self, campaign: &CampaignId, percent: u8) -> bool {
        self.earning.is_control(campaign.as_str(), self.user_id, percent)
    }
}
