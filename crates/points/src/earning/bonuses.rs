//! The bonuses of one activity: what they need, and what they change.

use std::sync::{Arc, LazyLock};

use pointbook_campaigns::{Award, CampaignId, Event, Member, Period, PeriodKey, RuleSet};
use pointbook_domain::zones::time_zone::Zone;
use pointbook_domain::{Activity, BonusOrigin, Bonuses, EarnedCounts, Timestamp, Transaction, UserId};
use pointbook_store::commands::{CommandError, Facts, Needs, Range};
use pointbook_store::limits::MAX_BONUSES;
use pointbook_store::schema::rows::{AwardRow, MemberProfile};
use pointbook_store::tenant_secret::TenantSecret;
use pointbook_store::{Context, StoreResult};
use uuid::Uuid;

use crate::campaigns::rules_cache::RulesCache;
use crate::earning::budget;
use crate::earning::counters::FactCounters;
use crate::ledger;

/// How many shares of a budget the processes have. Two processes with the same share only take turns.
const HOLDERS: u8 = 16;

/// The share of budgets that this process spends.
static HOLDER: LazyLock<String> = LazyLock::new(|| {
    let [first, ..] = Uuid::new_v4().into_bytes();
    format!("{:02}", first % HOLDERS)
});

/// The share of budgets that this process spends.
pub(crate) fn holder() -> String {
    HOLDER.clone()
}

/// The campaigns of a tenant and what they depend on, for the commands of one request.
#[derive(Clone)]
pub struct Earning {
    pub rules: Arc<RuleSet>,
    /// The time zone of the tenant.
    pub zone: Zone,
    /// Decides who is in the control group of a campaign. `None` when no campaign has one.
    pub secret: Option<Arc<TenantSecret>>,
    /// The share of budgets that these commands spend.
    pub holder: String,
}

/// The campaigns of the context's tenant.
///
/// # Errors
/// When the store fails.
pub async fn current_rules<T>(context: &Context<T>) -> StoreResult<Earning> {
    let tenant = &context.tenant;
    let rules = RulesCache::of(tenant).await?;
    let secret = if rules.has_control_groups() { Some(tenant.secrets.get(context.now).await?) } else { None };
    Ok(Earning { rules, zone: tenant.zone(), secret, holder: holder() })
}

/// An activity with the bonuses of campaigns.
pub(crate) struct Earned {
    pub(crate) transaction: Arc<Transaction>,
    pub(crate) awards: Vec<Award>,
}

impl Earning {
    /// Names what the campaigns ask of the user's past. The account is needed too.
    pub(crate) fn needs(&self, user_id: &UserId, activity: &Activity, needs: &mut Needs) {
        let asked = self.rules.needs(&self.event(activity));
        for (campaign, period) in &asked.used {
            needs.rows::<AwardRow>(awards_of(user_id, campaign, *period));
        }
        for campaign in &asked.last_birthdays {
            needs.rows::<AwardRow>(awards_of(user_id, campaign, ever(activity)));
        }
        for need in &asked.budgets {
            budget::need(needs, need.campaign.as_str(), &self.holder);
        }
    }

    /// The activity with the bonuses of the request, and after them those of the campaigns. `None` when its points are beyond their
    /// bounds.
    pub(crate) fn decide(
        &self,
        user_id: &UserId,
        transaction: &Transaction,
        now: Timestamp,
        facts: &Facts,
    ) -> Result<Option<Earned>, CommandError> {
        let activity = &transaction.activity;
        let profile = ledger::member(facts, user_id, now)?;
        let counters = FactCounters::new(self, user_id, activity, facts)?;
        let member = member(user_id, &profile);
        let awards = self.rules.evaluate(&self.event(activity), &member, Some(now), &counters);
        counters.finish()?;
        Ok(awards.ok().and_then(|awards| with_awards(transaction, awards)))
    }

    /// Writes the awards of a ledger row, and spends the budgets.
    pub(crate) fn keep(
        &self,
        user_id: &UserId,
        seq: u64,
        earned: &Earned,
        facts: &mut Facts,
    ) -> Result<(), CommandError> {
        let day = self.event(&earned.transaction.activity).local.day;
        let row = |award: &Award| AwardRow {
            user_id: user_id.clone(),
            campaign_id: award.campaign.to_string(),
            day,
            seq,
            version: award.version,
            points: award.points,
            birthday: award.birthday,
        };
        let rows: Vec<AwardRow> = earned.awards.iter().map(row).collect();
        for row in &rows {
            facts.insert(row.clone());
        }
        for (award, row) in earned.awards.iter().zip(&rows) {
            if let Some(budget) =
                self.rules.budget_at(&award.campaign, earned.transaction.activity.created_at)
            {
                budget::spend(facts, &self.holder, row, budget)?;
            }
        }
        Ok(())
    }

    /// Tells events about the budgets that this activity needed and that are low or spent now.
    pub(crate) fn tell_budgets(&self, activity: &Activity, facts: &mut Facts) -> Result<(), CommandError> {
        for need in self.rules.needs(&self.event(activity)).budgets {
            if let Some(budget) = self.rules.budget_at(&need.campaign, activity.created_at) {
                budget::tell(facts, need.campaign.as_str(), budget)?;
            }
        }
        Ok(())
    }

    pub(crate) fn event<'a>(&self, activity: &'a Activity) -> Event<'a> {
        let Activity { kind, source_id, points, created_at: at, attributes, .. } = activity;
        let local = self.zone.local_time(*at);
        Event { kind, source_id, points: *points, at: *at, local, attributes }
    }

    /// Whether the user is in the control group of a campaign, which has this many percent of all users.
    pub fn is_control(&self, campaign_id: &str, user_id: &UserId, percent: u8) -> bool {
        let Some(secret) = self.secret.as_ref().filter(|_| percent > 0) else { return false };
        let hash = secret.derive(format!("pointbook-control-1\n{campaign_id}\n{user_id}").as_bytes());
        let [a, b, c, d, ..] = hash;
        u32::from_be_bytes([a, b, c, d]) % 100 < u32::from(percent)
    }
}

/// The awards that a campaign gave a user for events of a period.
pub(crate) fn awards_of(user_id: &UserId, campaign: &CampaignId, period: PeriodKey) -> Range {
    let (first, last) = period.days();
    Range::default()
        .equal("user_id", user_id)
        .equal("campaign_id", campaign.as_str())
        .between("day", [&first, &last])
}

pub(crate) fn member<'a>(id: &'a UserId, profile: &'a MemberProfile) -> Member<'a> {
    let MemberProfile { birth_date, birth_date_set_at, locale, created_at } = profile;
    let (birth_date, birth_date_set_at, created_at) = (*birth_date, *birth_date_set_at, *created_at);
    Member { id, birth_date, birth_date_set_at, created_at, locale: locale.as_ref() }
}

/// All time.
pub(crate) fn ever(activity: &Activity) -> PeriodKey {
    PeriodKey::of(Period::Ever, activity.created_at.day())
}

/// The position of an activity among those that earn points, when it is the next one.
pub(crate) fn next_ordinal(counted: u64, activity: &Activity) -> u64 {
    counted + u64::from(EarnedCounts::counts(activity))
}

/// Drops the last awards when the breakdown has no room for them beside the bonuses of the request. `None` when the points are beyond
/// their bounds.
fn with_awards(transaction: &Transaction, mut awards: Vec<Award>) -> Option<Earned> {
    let mut activity = transaction.activity.clone();
    awards.truncate(MAX_BONUSES.saturating_sub(activity.bonuses.breakdown().len()));
    let given = activity.bonuses.breakdown().iter().cloned();
    activity.bonuses = Bonuses::new(given.chain(awards.iter().map(Award::to_bonus)).collect()).ok()?;
    activity.net_points().ok()?;
    let bonus_origin = BonusOrigin::Campaigns { awards: u32::try_from(awards.len()).ok()? };
    let transaction = Arc::new(Transaction { id: transaction.id.clone(), activity, bonus_origin });
    Some(Earned { transaction, awards })
}
