//! Explains the bonuses of a transaction, or of an activity that has not happened.

use crate::ledger;
use crate::ledger::Reported;
use std::sync::Arc;

use pointbook_campaigns::{CampaignId, Options, Reason, RuleSet, Verdict, VerdictResult};
use pointbook_domain::{Activity, BonusOrigin, Timestamp, Transaction, TransactionId, User, UserId};
use pointbook_store::background::in_background_for;
use pointbook_store::commands::{Command, CommandError, Facts, Lane, Needs};
use pointbook_store::limits::MAX_BONUSES;
use pointbook_store::ports::{Execution, LedgerEntry, NewTransaction, Query, TenantData, read_one};
use pointbook_store::schema::rows::{AwardRow, HeldActivity, MemberProfile};
use pointbook_store::{Context, StoreError, StoreResult};

use crate::campaigns::rules_cache::RulesCache;
use crate::earning::bonuses::{Earned, Earning, current_rules, member};
use crate::earning::counters::FactCounters;
use crate::earning::record_activities::NewActivity;
use crate::earning::reverse_transaction::awards_of;

mod past;

use past::Past;

/// What each campaign says of a transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    pub entry: LedgerEntry,
    /// By campaign.
    pub verdicts: Vec<Verdict>,
    /// The awards in the database.
    pub awards: Vec<AwardRow>,
}

/// Explains a transaction of a user from its row, the awards before it, and the versions of that moment. `None` when the user has no
/// such transaction. The birth date and the language are those of today.
///
/// # Errors
/// When the store fails.
pub async fn explain(
    context: &Context,
    user_id: &UserId,
    id: &TransactionId,
) -> StoreResult<Option<Explanation>> {
    let data = &*context.tenant.data;
    let Some(entry) = data.entry(user_id, id).await? else { return Ok(None) };
    let awards = awards_of(context, user_id, entry.seq).await?;
    let mut earning = current_rules(context).await?;
    if let Some(rules) = earlier_rules(context, entry.recorded_at).await? {
        earning.rules = Arc::new(rules);
    }
    let activity = &entry.transaction.activity;
    let verdicts = if let Some(reason) = not_asked(&entry.transaction) {
        earning.rules.verdicts(activity.created_at, &reason)
    } else {
        let reported_at = reported_at(data, &entry).await?;
        let profile = profile(data.user(user_id).await?, reported_at);
        let mut past = Past::read(data, &earning, (user_id, entry.seq), activity, &awards).await?;
        let (event, member) = (earning.event(activity), member(user_id, &profile));
        let mut verdicts = earning.rules.explain(&event, &member, Some(reported_at), &past);
        while past.find_spent_budgets(&verdicts) {
            verdicts = earning.rules.explain(&event, &member, Some(reported_at), &past);
        }
        forget_budgets(&mut verdicts);
        let has_award = |id: &CampaignId| awards.iter().any(|award| award.campaign_id == id.as_str());
        mark_dropped(&mut verdicts, &entry.transaction, has_award);
        verdicts
    };
    let is_back_filled = entry.transaction.bonus_origin == BonusOrigin::BackFill;
    let verdicts = if is_back_filled { with_awards(verdicts, &awards) } else { verdicts };
    Ok(Some(Explanation { entry, verdicts, awards }))
}

/// What a budget had left at that time is not stored, so the numbers that the rules compared are made up.
fn forget_budgets(verdicts: &mut [Verdict]) {
    for verdict in verdicts.iter_mut().filter(|verdict| verdict.result == VerdictResult::Not(Reason::Budget))
    {
        verdict.compared = None;
    }
}

/// The verdicts of a row that a back-fill added. It has no base points, so the rules alone give it nothing.
fn with_awards(mut verdicts: Vec<Verdict>, awards: &[AwardRow]) -> Vec<Verdict> {
    for award in awards {
        let Ok(campaign) = CampaignId::new(&award.campaign_id) else { continue };
        verdicts.retain(|verdict| verdict.campaign != campaign);
        let result = VerdictResult::Applied { points: award.points.get() };
        verdicts.push(Verdict { campaign, version: award.version, result, compared: None });
    }
    verdicts.sort_by(|one, other| one.campaign.cmp(&other.campaign));
    verdicts
}

/// The last campaigns find no room in a breakdown that is full with the bonuses of the request.
fn mark_dropped(
    verdicts: &mut [Verdict],
    transaction: &Transaction,
    has_award: impl Fn(&CampaignId) -> bool,
) {
    if transaction.activity.bonuses.breakdown().len() < MAX_BONUSES {
        return;
    }
    for verdict in verdicts {
        if !matches!(verdict.result, VerdictResult::Not(_)) && !has_award(&verdict.campaign) {
            verdict.result = VerdictResult::Not(Reason::TooManyBonuses);
        }
    }
}

/// The campaigns as they were known at a moment. `None` when no version is newer, so that the current ones are right.
async fn earlier_rules(context: &Context, at: Timestamp) -> StoreResult<Option<RuleSet>> {
    let (tenant, known) = (&context.tenant.tenant, context.tenant.state::<RulesCache>().known().await?);
    if known.all().iter().all(|version| version.row.created_at <= at) {
        return Ok(None);
    }
    let options = Options::of(&tenant.settings, tenant.locale.clone());
    // A tenant may have thousands of versions.
    let build = move || {
        let earlier = known.all().iter().filter(|version| version.row.created_at <= at);
        let versions = earlier.map(|version| version.parsed().cloned()).collect::<Result<_, _>>();
        StoreResult::Ok(RuleSet::new(versions.map_err(StoreError::Corrupt)?, options))
    };
    in_background_for(context.worker(), build).await?.map(Some)
}

/// When the activity of a row was reported: campaigns decide as of then. Points may have waited after that.
async fn reported_at(data: &dyn TenantData, entry: &LedgerEntry) -> StoreResult<Timestamp> {
    let Activity { kind, source_id, .. } = &entry.transaction.activity;
    let held = Query::of::<HeldActivity>("held_activity", &["user_id", "type", "source_id"]);
    let held = held.equal("user_id", Some(&entry.user_id)).equal("type", Some(kind));
    let held: Option<HeldActivity> = read_one(data, held.equal("source_id", Some(source_id))).await?;
    Ok(held.map_or(entry.recorded_at, |held| held.held_at))
}

/// Why the service did not ask the campaigns.
fn not_asked(transaction: &Transaction) -> Option<Reason> {
    match transaction.bonus_origin {
        BonusOrigin::BackOffice => Some(Reason::GivenByBackOffice),
        BonusOrigin::Import => Some(Reason::Import),
        BonusOrigin::Undecided if transaction.activity.is_reversal() => Some(Reason::GivenByBackOffice),
        BonusOrigin::Undecided | BonusOrigin::Campaigns { .. } | BonusOrigin::BackFill => None,
    }
}

fn profile(user: Option<User>, created_at: Timestamp) -> MemberProfile {
    match user {
        Some(User { birth_date, birth_date_set_at, locale, created_at, .. }) => {
            MemberProfile { birth_date, birth_date_set_at, locale, created_at }
        }
        None => MemberProfile { birth_date: None, birth_date_set_at: None, locale: None, created_at },
    }
}

/// Decides about an activity, and changes nothing.
pub struct DryRun {
    reported: Reported,
    asks_campaigns: bool,
    earning: Earning,
    at: Timestamp,
}

/// What would become of an activity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DryRunOutcome {
    /// With the bonuses that it would have. `None` when its points would be beyond their bounds.
    pub transaction: Option<Arc<Transaction>>,
    /// By campaign.
    pub verdicts: Vec<Verdict>,
    /// Whether the ledger has a transaction under its type and source id already.
    pub is_recorded: bool,
}

impl Command for DryRun {
    type Outcome = DryRunOutcome;

    const NAME: &'static str = "dry_run";

    fn lane(&self) -> Lane {
        Lane::User(self.reported.user_id.clone())
    }

    fn needs(&self, needs: &mut Needs) {
        let Reported { user_id, transaction } = &self.reported;
        ledger::need_reported(needs, &self.reported);
        if self.asks_campaigns {
            self.earning.needs(user_id, &transaction.activity, needs);
        }
    }

    fn further_needs(&self, facts: &Facts, needs: &mut Needs) {
        ledger::need_held(facts, needs, &self.reported);
    }

    fn decide(&self, facts: &mut Facts) -> Result<DryRunOutcome, CommandError> {
        let Reported { user_id, transaction } = &self.reported;
        let is_recorded = !ledger::is_new(facts, &self.reported)?;
        if !self.asks_campaigns {
            let (at, reason) = (transaction.activity.created_at, Reason::GivenByBackOffice);
            let verdicts = self.earning.rules.verdicts(at, &reason);
            return Ok(DryRunOutcome { transaction: Some(transaction.clone()), verdicts, is_recorded });
        }
        let earned = self.earning.decide(user_id, transaction, self.at, facts)?;
        let profile = ledger::member(facts, user_id, self.at)?;
        let counters = FactCounters::new(&self.earning, user_id, &transaction.activity, facts)?;
        let (event, member) = (self.earning.event(&transaction.activity), member(user_id, &profile));
        let mut verdicts = self.earning.rules.explain(&event, &member, Some(self.at), &counters);
        if let Some(Earned { transaction, awards }) = &earned {
            let has_award = |id: &CampaignId| awards.iter().any(|award| award.campaign == *id);
            mark_dropped(&mut verdicts, transaction, has_award);
        }
        Ok(DryRunOutcome { transaction: earned.map(|earned| earned.transaction), verdicts, is_recorded })
    }
}

/// What would become of an activity. It changes nothing.
///
/// # Errors
/// When the store fails.
pub async fn dry_run(
    context: &Context<DryRunOutcome>,
    new: NewActivity,
) -> StoreResult<Execution<DryRunOutcome>> {
    let NewActivity { user_id, activity, asks_campaigns, has_breakdown: _ } = new;
    let earning = current_rules(context).await?;
    let bonus_origin = BonusOrigin::BackOffice;
    let transaction = Transaction { id: context.ids.transaction_id(), activity, bonus_origin };
    let reported = NewTransaction { user_id, transaction }.into();
    context.execute(DryRun { reported, asks_campaigns, earning, at: context.now }).await
}
