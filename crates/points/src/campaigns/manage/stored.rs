//! The stored versions of all campaigns, and the next one.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use pointbook_campaigns::{CampaignVersion, VersionState};
use pointbook_domain::Timestamp;
use pointbook_store::commands::{CommandError, Facts};
use pointbook_store::schema::rows::CampaignVersionRow;
use pointbook_store::{Clock, Context};

use super::refusal::{CampaignRefusal, MAX_CAMPAIGNS, MAX_DEFINITION_BYTES, MAX_STORED_BYTES, MAX_VERSIONS};
use crate::campaigns::rules_cache::{KnownVersions, StoredVersion, TAKE_OVER_SECONDS, version_of};

/// A stored version, and what it says.
pub(super) type Known = (CampaignVersionRow, CampaignVersion);

/// All versions of all campaigns: those that were known before a command had its turn, and those that were added since.
pub(crate) struct Stored {
    known: KnownVersions,
    newer: Vec<Arc<StoredVersion>>,
}

impl Stored {
    pub(crate) fn read(known: &KnownVersions, facts: &Facts) -> Result<Self, CommandError> {
        let newer = facts.rows::<CampaignVersionRow>(&known.newer())?;
        let mut rows: Vec<CampaignVersionRow> = newer.into_iter().cloned().collect();
        rows.sort_unstable_by_key(|row| row.revision);
        let newer = rows.into_iter().map(StoredVersion::new).map(Arc::new).collect();
        Ok(Self { known: known.clone(), newer })
    }

    /// The versions of a campaign, by revision.
    fn versions<'s>(&'s self, id: &str) -> impl Iterator<Item = &'s StoredVersion> + Clone {
        let known = self.known.campaigns().get(id).map_or(&[][..], Vec::as_slice);
        let newer = self.newer.iter().filter(move |version| version.row.campaign_id == id);
        known.iter().chain(newer).map(|version| &**version)
    }

    /// The rows of a campaign, by revision.
    pub(super) fn of<'s>(&'s self, id: &str) -> impl Iterator<Item = &'s CampaignVersionRow> + Clone {
        self.versions(id).map(|version| &version.row)
    }

    /// What a stored row says.
    pub(crate) fn parsed(&self, row: &CampaignVersionRow) -> Result<CampaignVersion, CommandError> {
        let by_revision = |list: &[Arc<StoredVersion>]| {
            list.binary_search_by_key(&row.revision, |version| version.row.revision)
        };
        let known = by_revision(self.known.all()).ok().map(|place| &self.known.all()[place]);
        let found = known.or_else(|| by_revision(&self.newer).ok().map(|place| &self.newer[place]));
        let Some(found) = found else { return parse(row) };
        found.parsed().cloned().map_err(CommandError::Corrupt)
    }

    /// The last version of a campaign: no other one takes over later. Usually it is the newest one. A step may add newer ones before
    /// it, when the step is impossible for the last one.
    pub(super) fn last(&self, id: &str) -> Result<Option<Known>, CommandError> {
        let last = self.of(id).max_by_key(|row| (row.valid_from, row.version));
        last.map(|row| Ok((row.clone(), self.parsed(row)?))).transpose()
    }

    pub(super) fn next_version(&self, id: &str) -> u32 {
        self.of(id).map(|row| row.version).max().unwrap_or_default() + 1
    }

    /// The rows of each campaign.
    pub(crate) fn by_campaign(&self) -> BTreeMap<&str, Vec<&CampaignVersionRow>> {
        self.ids().into_iter().map(|id| (id, self.of(id).collect())).collect()
    }

    pub(super) fn next_revision(&self) -> u64 {
        let last = self.newer.last().or_else(|| self.known.all().last());
        last.map_or(1, |version| version.row.revision + 1)
    }

    /// Whether the tenant may have this many more versions of a campaign.
    pub(super) fn has_room(&self, id: &str, definition: &str, added: usize) -> Result<(), CampaignRefusal> {
        let newer: usize = self.newer.iter().map(|version| version.row.definition.len()).sum();
        let stored = self.known.definition_bytes() + newer;
        let versions = self.of(id).count();
        if versions == 0 && self.ids().len() >= MAX_CAMPAIGNS {
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

    fn ids(&self) -> BTreeSet<&str> {
        let newer = self.newer.iter().map(|version| version.row.campaign_id.as_str());
        self.known.campaigns().keys().map(|id| &**id).chain(newer).collect()
    }
}

pub(super) fn parse(row: &CampaignVersionRow) -> Result<CampaignVersion, CommandError> {
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

/// When a change was asked for.
#[derive(Clone)]
pub struct RequestTime {
    pub now: Timestamp,
    /// The clock that shows how long the change waited for its body and its turn, with its real time when the request began. `None` when
    /// the time stands still meanwhile.
    pub clock: Option<(Arc<dyn Clock>, Timestamp)>,
}

/// A change that waits longer takes over later. With the age of what processes know ([`crate::campaigns::rules_cache`]), this leaves half
/// a second for the commit.
const SHORT_WAIT_MICROS: i64 = 250_000;

impl RequestTime {
    pub(super) fn of<T>(context: &Context<T>) -> Self {
        let clock = context.clock.clone().map(|clock| (clock, context.real_now()));
        Self { now: context.now, clock }
    }

    /// When a version takes over at the earliest: late enough that every process knows it by then.
    pub(super) fn earliest(&self) -> Timestamp {
        let waited = |(clock, at): &(Arc<dyn Clock>, Timestamp)| clock.now().as_micros() - at.as_micros();
        let waited = self.clock.as_ref().map_or(0, waited);
        let late = if waited > SHORT_WAIT_MICROS { waited / 1_000_000 + 1 } else { 0 };
        self.now.plus_seconds(TAKE_OVER_SECONDS.saturating_add(u32::try_from(late).unwrap_or(u32::MAX)))
    }

    /// When a version takes over. `at` is `None` for as soon as possible.
    pub(super) fn take_over(
        &self,
        at: Option<Timestamp>,
        earliest: Timestamp,
    ) -> Result<Timestamp, CampaignRefusal> {
        match at {
            Some(at) if at < self.now => Err(CampaignRefusal::InThePast),
            Some(at) => Ok(at.max(earliest)),
            None => Ok(earliest),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Fixed(Timestamp);

    impl Clock for Fixed {
        fn now(&self) -> Timestamp {
            self.0
        }
    }

    #[test]
    fn a_change_that_waited_takes_over_later() {
        let time = |micros| Timestamp::from_micros(micros).unwrap();
        let earliest = |shown: i64| {
            let clock: Arc<dyn Clock> = Arc::new(Fixed(time(shown)));
            RequestTime { now: time(7), clock: Some((clock, time(0))) }.earliest()
        };
        assert_eq!(RequestTime { now: time(7), clock: None }.earliest(), time(1_000_007));
        assert_eq!(earliest(250_000), time(1_000_007));
        assert_eq!(earliest(250_001), time(2_000_007));
        assert_eq!(earliest(70_000_000), time(72_000_007));
    }
}
