//! The campaigns that run, will run or are paused.

use std::collections::BTreeMap;

use pointbook_campaigns::{Campaign, CampaignVersion, MAX_RUNNING, VersionState, Warning, warnings};
use pointbook_domain::{TenantSettings, Timestamp};
use pointbook_store::commands::CommandError;
use pointbook_store::schema::rows::CampaignVersionRow;

use super::state::has_ended;
use super::stored::Stored;
use super::terms;

/// By campaign, the versions in force now or later that are active or paused and not over. No list is empty.
pub(super) struct OpenCampaigns<'s>(BTreeMap<&'s str, Vec<CampaignVersion>>);

impl<'s> OpenCampaigns<'s> {
    pub(super) fn of(stored: &'s Stored, now: Timestamp) -> Result<Self, CommandError> {
        let mut open = BTreeMap::new();
        for (id, rows) in stored.by_campaign() {
            let versions = open_versions(stored, &rows, now)?;
            if !versions.is_empty() {
                open.insert(id, versions);
            }
        }
        Ok(Self(open))
    }

    /// Whether as many other campaigns run or will run as may. A campaign that is among them may change.
    pub(super) fn are_too_many_beside(&self, id: &str) -> bool {
        let runs = |versions: &&Vec<CampaignVersion>| {
            versions.iter().any(|version| version.state == VersionState::Active)
        };
        let is_one = self.0.get(id).as_ref().is_some_and(runs);
        !is_one && self.0.values().filter(runs).count() >= MAX_RUNNING
    }

    /// The warnings about a new definition beside the last definition of each campaign.
    pub(super) fn warnings(
        &self,
        campaign: &Campaign,
        now: Timestamp,
        settings: &TenantSettings,
    ) -> Vec<Warning> {
        let last = self.0.values().filter_map(|versions| versions.last());
        let others: Vec<&Campaign> = last.map(|version| version.campaign.as_ref()).collect();
        warnings(campaign, &others, now, settings)
    }
}

fn open_versions(
    stored: &Stored,
    rows: &[&CampaignVersionRow],
    now: Timestamp,
) -> Result<Vec<CampaignVersion>, CommandError> {
    let in_force = terms::in_force(rows.iter().copied(), now);
    let all = in_force.into_iter().chain(terms::planned(rows.iter().copied(), now));
    let may_run =
        |row: &&CampaignVersionRow| terms::has_state(row, &[VersionState::Active, VersionState::Paused]);
    let mut versions = all.filter(may_run).map(|row| stored.parsed(row)).collect::<Result<Vec<_>, _>>()?;
    versions.retain(|version| !has_ended(version, now.max(version.from)));
    Ok(versions)
}
