//! Helpers of the facts about campaigns.

use std::sync::Arc;

use pointbook_campaigns::{Campaign, CampaignId, CampaignVersion, Options, RuleSet, VersionState, parse};
use pointbook_domain::zones::time_zone::Zone;
use pointbook_domain::{Activity, Locale, Timestamp, UserId};
use pointbook_points::campaigns::manage::{
    CampaignOutcome, CampaignStep, WrittenVersion, put_campaign, step_campaign,
};
use pointbook_points::earning::bonuses::Earning;
use pointbook_points::earning::explain::{DryRunOutcome, dry_run};
use pointbook_points::earning::record_activities::NewActivity;
use pointbook_points::earning::record_activity::{RecordActivity, record_activity};
use pointbook_store::ports::RecordActivityOutcome::Recorded;
use pointbook_store::ports::{
    Database, Query, RecordActivityOutcome, RecordedActivity, TenantData, read_all,
};
use pointbook_store::schema::rows::{AwardRow, BudgetShare};
use pointbook_store::tenant_secret::TenantSecret;
use pointbook_store::{Actor, Context, ServedTenant, Service, ServiceLimits};
use serde_json::{Value, json};

use super::add_tenant;
use crate::build::{noon, to_record, user_id};
use crate::{FixedClock, OneSecret, SequentialIds, build};

/// The campaign `spring` with these fields. Unless they say something else, it gives 10 points for every activity.
pub(crate) fn campaign(fields: &Value) -> Campaign {
    let mut definition = json!({"id": "spring", "title": {"en": "Spring"}, "reward": {"points": 10}});
    definition.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    parse(&definition, &Locale::new("en").unwrap()).unwrap()
}

/// The first version of a [`campaign`], in force at all times.
pub(crate) fn active(fields: &Value) -> CampaignVersion {
    let campaign = Arc::new(campaign(fields));
    CampaignVersion { campaign, version: 1, state: VersionState::Active, from: Timestamp::MIN }
}

/// Campaigns that spend the shares of this holder.
pub(crate) fn earning(holder: &str, versions: impl IntoIterator<Item = CampaignVersion>) -> Earning {
    let options = Options::new(Locale::new("en").unwrap());
    let rules = Arc::new(RuleSet::new(versions.into_iter().collect(), options));
    let secret = Arc::new(TenantSecret::new([7; 32]));
    Earning { rules, zone: Zone::UTC, secret: Some(secret), holder: holder.to_owned() }
}

/// The holders `a` and `b` of one campaign.
pub(super) fn holders(version: &CampaignVersion) -> [Earning; 2] {
    ["a", "b"].map(|holder| earning(holder, [version.clone()]))
}

/// Records an activity at the moment at which it happens.
pub(super) async fn record(
    data: &Arc<dyn TenantData>,
    earning: &Earning,
    user: &str,
    activity: Activity,
) -> RecordActivityOutcome {
    let now = activity.created_at;
    let command = RecordActivity::without_end(to_record(user, activity), now).earning(earning.clone());
    data.write(command).await.unwrap()
}

/// Records an activity, which must be new.
pub(super) async fn earn(
    data: &Arc<dyn TenantData>,
    earning: &Earning,
    user: &str,
    activity: Activity,
) -> RecordedActivity {
    match record(data, earning, user, activity).await {
        Recorded(recorded) => recorded,
        other => panic!("{other:?}"),
    }
}

/// The points of all bonuses of a new activity.
pub(super) async fn bonus(
    data: &Arc<dyn TenantData>,
    earning: &Earning,
    user: &str,
    activity: Activity,
) -> i64 {
    earn(data, earning, user, activity).await.transaction.activity.bonuses.total().get()
}

/// All awards of a tenant, by user and campaign.
pub(super) async fn awards(data: &Arc<dyn TenantData>) -> Vec<AwardRow> {
    let awards = Query::of::<AwardRow>("awards", &["user_id", "campaign_id", "day", "seq"]);
    read_all(&**data, awards).await.unwrap()
}

pub(super) async fn shares(data: &Arc<dyn TenantData>) -> Vec<BudgetShare> {
    let shares = Query::of::<BudgetShare>("budget_shares", &["campaign_id", "holder"]);
    read_all(&**data, shares).await.unwrap()
}

/// The awards and points that all shares of a tenant's only budget spent. Panics unless the shares, their sums and the rows agree.
pub(super) async fn spent(data: &Arc<dyn TenantData>) -> (i64, i64) {
    let (awards, shares) = (awards(data).await, shares(data).await);
    let (sums, shares): (Vec<_>, Vec<_>) = shares.into_iter().partition(|share| share.holder.is_empty());
    let sum = |number: &dyn Fn(&BudgetShare) -> i64| shares.iter().map(number).sum::<i64>();
    let taken = (sum(&|share| share.taken_awards), sum(&|share| share.taken_points));
    let [sums] = &sums[..] else { panic!("{sums:?}") };
    assert_eq!(taken, (sums.taken_awards, sums.taken_points), "{shares:?}");
    let spent = (sum(&|share| share.spent_awards), sum(&|share| share.spent_points));
    let returned = (sum(&|share| share.returned_awards), sum(&|share| share.returned_points));
    let rows = awards.iter().filter(|award| award.campaign_id == sums.campaign_id);
    let points: Vec<i64> = rows.map(|award| award.points.get()).collect();
    let of_rows = (i64::try_from(points.len()).unwrap(), points.iter().sum());
    assert_eq!((spent.0 + returned.0, spent.1 + returned.1), of_rows, "{shares:?}");
    spent
}

/// The tenants of a database as a process serves them.
pub(crate) async fn service(database: &Arc<dyn Database>) -> Service {
    let limits = ServiceLimits {
        principal_max_age_seconds: 0,
        principal_max_age_when_away_seconds: 0,
        refresh_interval_ms: 500,
        catalogue_bytes: 0,
    };
    let clock = Arc::new(FixedClock::new(noon()));
    Service::open(database.clone(), clock, Arc::new(OneSecret), limits).await.unwrap()
}

/// A tenant as a process serves it, with one source of ids.
pub(super) struct CampaignFixture {
    pub(super) data: Arc<dyn TenantData>,
    pub(super) served: Arc<ServedTenant>,
    ids: Arc<SequentialIds>,
}

impl CampaignFixture {
    /// Adds the tenant acme.
    pub(super) async fn new(database: &Arc<dyn Database>) -> Self {
        let data = add_tenant(database, "acme").await;
        let served = service(database).await.directory().tenants()[0].clone();
        Self { data, served, ids: Arc::default() }
    }

    pub(super) fn context<T>(&self, now: Timestamp) -> Context<T> {
        Context::new(self.served.clone(), Actor::CommandLine, now, self.ids.clone())
    }

    /// Writes a version of a [`campaign`].
    pub(super) async fn put(
        &self,
        fields: &Value,
        takes_over_at: Option<Timestamp>,
        now: Timestamp,
    ) -> CampaignOutcome {
        let context = self.context(now);
        put_campaign(&context, campaign(fields), takes_over_at).await.unwrap().without_key().unwrap()
    }

    pub(super) async fn step(&self, id: &str, step: CampaignStep, now: Timestamp) -> CampaignOutcome {
        self.step_at(id, step, now, None).await
    }

    pub(super) async fn step_at(
        &self,
        id: &str,
        step: CampaignStep,
        now: Timestamp,
        takes_over_at: Option<Timestamp>,
    ) -> CampaignOutcome {
        let (context, id) = (self.context(now), CampaignId::new(id).unwrap());
        step_campaign(&context, id, step, takes_over_at).await.unwrap().without_key().unwrap()
    }

    /// Writes a [`campaign`] and schedules it, a day before noon.
    pub(super) async fn start(&self, fields: &Value) {
        let CampaignOutcome::Created(WrittenVersion { row, .. }) =
            self.put(fields, None, build::on_day(-1)).await
        else {
            panic!("{fields} is not new")
        };
        let scheduled = self.step(&row.campaign_id, CampaignStep::Schedule, build::on_day(-1)).await;
        assert!(matches!(scheduled, CampaignOutcome::Written(_)), "{scheduled:?}");
    }

    /// Records an activity that asks the campaigns.
    pub(super) async fn record(
        &self,
        user: &str,
        activity: Activity,
        now: Timestamp,
    ) -> RecordActivityOutcome {
        let new = asking(user, activity);
        record_activity(&self.context(now), new, true).await.unwrap().without_key().unwrap()
    }

    /// What would become of an activity at noon.
    pub(super) async fn dry_run(&self, new: NewActivity) -> DryRunOutcome {
        dry_run(&self.context(noon()), new).await.unwrap().without_key().unwrap()
    }

    /// Records an activity at the moment at which it happens. It must be new.
    pub(super) async fn earn(&self, user: &str, activity: Activity) -> RecordedActivity {
        let now = activity.created_at;
        match self.record(user, activity, now).await {
            Recorded(recorded) => recorded,
            other => panic!("{other:?}"),
        }
    }
}

/// An activity that asks the campaigns.
pub(super) fn asking(user: &str, activity: Activity) -> NewActivity {
    let user_id: UserId = user_id(user);
    NewActivity { user_id, activity, has_breakdown: false, asks_campaigns: true }
}
