//! Reads campaigns for the back office.

use std::collections::BTreeMap;

use pointbook_campaigns::{Budget, CampaignId, CampaignVersion};
use pointbook_domain::Timestamp;
use pointbook_store::ports::{Query, read_all};
use pointbook_store::schema::rows::{BudgetShare, CampaignVersionRow};
use pointbook_store::{ServedTenant, StoreResult};

use super::state::ShownState;
use super::terms;
use crate::campaigns::rules_cache::version_of;
use crate::earning::budget;

/// A campaign in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CampaignSummary {
    pub state: ShownState,
    /// The version in force, or the first one when none is in force yet. Instead of a draft, the version that starts later, if one does.
    pub version: CampaignVersion,
    pub row: CampaignVersionRow,
}

/// A campaign with all its versions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CampaignDetail {
    pub summary: CampaignSummary,
    /// By number.
    pub versions: Vec<CampaignVersionRow>,
    /// `None` without a budget.
    pub budget: Option<BudgetUse>,
}

/// How much of a budget is spent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BudgetUse {
    pub budget: Budget,
    pub spent_awards: i64,
    pub spent_points: i64,
}

/// The campaigns of a tenant by id. Archived ones only when wanted.
///
/// # Errors
/// When the store fails.
pub async fn campaigns(
    tenant: &ServedTenant,
    now: Timestamp,
    with_archived: bool,
) -> StoreResult<Vec<CampaignSummary>> {
    let query = Query::of::<CampaignVersionRow>("campaigns", &["revision"]);
    let mut by_id: BTreeMap<String, Vec<CampaignVersionRow>> = BTreeMap::new();
    for row in read_all(&*tenant.data, query).await? {
        let row: CampaignVersionRow = row;
        by_id.entry(row.campaign_id.clone()).or_default().push(row);
    }
    let all: Vec<CampaignSummary> =
        by_id.values().filter_map(|rows| summary(rows, now).transpose()).collect::<StoreResult<_>>()?;
    Ok(all.into_iter().filter(|found| with_archived || found.state != ShownState::Archived).collect())
}

/// A campaign. `None` when the tenant has no such campaign.
///
/// # Errors
/// When the store fails.
pub async fn campaign(
    tenant: &ServedTenant,
    id: &CampaignId,
    now: Timestamp,
) -> StoreResult<Option<CampaignDetail>> {
    let query = Query::of::<CampaignVersionRow>("campaign", &["version"]);
    let versions = read_all(&*tenant.data, query.equal("campaign_id", Some(id.as_str()))).await?;
    let Some(summary) = summary(&versions, now)? else { return Ok(None) };
    let shares = Query::of::<BudgetShare>("budget_shares", &["campaign_id", "holder"]);
    let shares: Vec<BudgetShare> =
        read_all(&*tenant.data, shares.equal("campaign_id", Some(id.as_str()))).await?;
    let (spent_awards, spent_points) = budget::spent(&shares);
    let budget = summary.version.campaign.budget();
    let budget = budget.map(|budget| BudgetUse { budget, spent_awards, spent_points });
    Ok(Some(CampaignDetail { summary, versions, budget }))
}

/// The version that counts now.
fn summary(rows: &[CampaignVersionRow], now: Timestamp) -> StoreResult<Option<CampaignSummary>> {
    let Some(row) = terms::shown(rows.iter(), now) else { return Ok(None) };
    let version = version_of(row)?;
    Ok(Some(CampaignSummary { state: ShownState::of(&version, now), version, row: row.clone() }))
}
