//! The stored versions of all campaigns, and the next one.

use std::collections::BTreeMap;

use pointbook_app::commands::{CommandError, Facts};
use pointbook_app::rules_cache::{TAKE_OVER_SECONDS, version_of};
use pointbook_campaigns::{CampaignVersion, VersionState};
use pointbook_domain::Timestamp;
use pointbook_schema::rows::CampaignVersionRow;

use super::refusal::{CampaignRefusal, MAX_CAMPAIGNS, MAX_DEFINITION_BYTES, MAX_STORED_BYTES, MAX_VERSIONS};

/// A stored version, and what it says.
pub(super) type Known = (CampaignVersionRow, CampaignVersion);

/// All versions of all campaigns, by revision.
pub(super) struct Stored(Vec<CampaignVersionRow>);

impl Stored {
    pub(super) fn read(facts: &Facts) -> Result<Self, CommandError> {
        let mut rows = facts.rows::<CampaignVersionRow>()?;
        rows.sort_unstable_by_key(|row| row.revision);
        Ok(Self(rows))
    }

    pub(super) fn of<'s>(&'s self, id: &str) -> impl Iterator<Item = &'s CampaignVersionRow> + Clone {
        self.0.iter().filter(move |row| row.campaign_id == id)
    }

    /// The last version of a campaign: no other one takes over later. Usually it is the newest one. A step may add newer ones before
    /// it, when the step is impossible for the last one.
    pub(super) fn last(&self, id: &str) -> Result<Option<Known>, CommandError> {
        let last = self.of(id).max_by_key(|row| (row.valid_from, row.version));
        last.map(|row| Ok((row.clone(), read(row)?))).transpose()
    }

    pub(super) fn next_version(&self, id: &str) -> u32 {
        self.of(id).map(|row| row.version).max().unwrap_or_default() + 1
    }

    pub(super) fn by_campaign(&self) -> BTreeMap<&str, Vec<&CampaignVersionRow>> {
        let mut campaigns: BTreeMap<&str, Vec<&CampaignVersionRow>> = BTreeMap::new();
        for row in &self.0 {
            campaigns.entry(&row.campaign_id).or_default().push(row);
        }
        campaigns
    }

    pub(super) fn next_revision(&self) -> u64 {
        self.0.last().map_or(1, |row| row.revision + 1)
    }

    /// Whether the tenant may have this many more versions of a campaign.
    pub(super) fn has_room(&self, id: &str, definition: &str, added: usize) -> Result<(), CampaignRefusal> {
        let mut ids: Vec<&str> = self.0.iter().map(|row| row.campaign_id.as_str()).collect();
        ids.sort_unstable();
        ids.dedup();
        let stored: usize = self.0.iter().map(|row| row.definition.len()).sum();
        let versions = self.of(id).count();
        if versions == 0 && ids.len() >= MAX_CAMPAIGNS {
            Err(CampaignRefusal::TooManyCampaigns)
        } else if versions + added > MAX_VERSIONS as usize {
            Err(CampaignRefusal::TooManyVersions)
        } else if definition.len() > MAX_DEFINITION_BYTES {
            Err(CampaignRefusal::DefinitionTooLong)
        } else if stored + added * definition.len() > MAX_STORED_BYTES {
            Err(CampaignRefusal::TooMuchStored)
        } else {
            Ok(())
        }
    }
}

pub(super) fn read(row: &CampaignVersionRow) -> Result<CampaignVersion, CommandError> {
    version_of(row).map_err(|error| CommandError::Corrupt(error.to_string()))
}

/// A version to add.
pub(super) struct New<'n> {
    pub(super) id: &'n str,
    pub(super) state: VersionState,
    pub(super) definition: &'n str,
    pub(super) now: Timestamp,
    pub(super) author: &'n str,
}

impl New<'_> {
    pub(super) fn row(
        &self,
        stored: &Stored,
        valid_from: Result<Timestamp, CampaignRefusal>,
    ) -> Result<CampaignVersionRow, CampaignRefusal> {
        stored.has_room(self.id, self.definition, 1)?;
        let valid_from = valid_from?;
        let last = stored.of(self.id).map(|row| row.valid_from).max();
        if let Some(later) = last.filter(|last| *last > valid_from) {
            return Err(CampaignRefusal::LaterVersion(later));
        }
        Ok(self.version(stored.next_revision(), stored.next_version(self.id), valid_from))
    }

    pub(super) fn version(&self, revision: u64, version: u32, valid_from: Timestamp) -> CampaignVersionRow {
        CampaignVersionRow {
            revision,
            campaign_id: self.id.to_owned(),
            version,
            state: self.state.as_str().to_owned(),
            valid_from,
            definition: self.definition.to_owned(),
            created_at: self.now,
            created_by: self.author.to_owned(),
        }
    }
}

/// When a version takes over: late enough that every process knows it by then.
pub(super) fn take_over(asked: Option<Timestamp>, now: Timestamp) -> Result<Timestamp, CampaignRefusal> {
    let earliest = now.plus_seconds(TAKE_OVER_SECONDS);
    match asked {
        Some(asked) if asked < now => Err(CampaignRefusal::InThePast),
        Some(asked) => Ok(asked.max(earliest)),
        None => Ok(earliest),
    }
}
