//! The campaigns of a tenant with all their versions.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use pointbook_domain::{ActivityType, Feb29, Locale, TenantSettings, Timestamp, words};

use crate::campaign::Campaign;
use crate::limits::Budget;
use crate::names::CampaignId;
use crate::parse::parse_stored;

/// The most campaigns of a tenant that may run at a moment. The use case that starts a campaign checks it.
pub const MAX_RUNNING: usize = 200;

words! {
    /// What the back office decided about a version. Whether an active one runs follows from the clock.
    pub VersionState {
        Draft = "draft",
        Active = "active",
        Paused = "paused",
        Ended = "ended",
        Archived = "archived",
    }
}

/// A version of a campaign. The version in force at a moment is the last one with `from` at that moment or earlier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CampaignVersion {
    pub campaign: Arc<Campaign>,
    pub version: u32,
    pub state: VersionState,
    pub from: Timestamp,
}

impl CampaignVersion {
    /// A version from its stored definition and state.
    ///
    /// # Errors
    /// A sentence, when this release does not know the state or cannot read the definition.
    pub fn stored(definition: &str, state: &str, version: u32, from: Timestamp) -> Result<Self, String> {
        let campaign = Arc::new(parse_stored(definition)?);
        let state = VersionState::parse(state).ok_or_else(|| "unknown state".to_owned())?;
        Ok(Self { campaign, version, state, from })
    }

    /// Whether it can match at a moment at which it is in force.
    fn runs_at(&self, at: Timestamp) -> bool {
        self.state == VersionState::Active && self.from <= at && self.campaign.run.contains(at)
    }
}

/// Settings of a tenant that all its campaigns share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    pub feb29: Feb29,
    /// For how many days of 24 hours a birth date must have been set before it counts. 0 sets no bound.
    pub birth_date_days: u32,
    /// All awards of an activity together have at most this many times its base points. 0 sets no bound.
    pub ceiling_factor: u32,
    /// How many days old an activity may be. 0 sets no bound.
    pub max_age_days: u32,
    pub own_locale: Locale,
}

impl Options {
    /// The settings of a tenant that set none.
    pub fn new(own_locale: Locale) -> Self {
        Self::of(&TenantSettings::default(), own_locale)
    }

    /// The settings of a tenant with this locale.
    pub fn of(settings: &TenantSettings, own_locale: Locale) -> Self {
        Self {
            feb29: settings.campaign_feb29,
            birth_date_days: settings.campaign_birth_date_days,
            ceiling_factor: settings.campaign_ceiling_factor,
            max_age_days: settings.campaign_max_age_days,
            own_locale,
        }
    }
}

/// The campaigns of a tenant. It never changes: a change of a campaign needs a new set.
#[derive(Debug, Clone)]
pub struct RuleSet {
    /// Sorted by id.
    pub(crate) entries: Vec<Entry>,
    pub(crate) options: Options,
    /// The indexes of the entries that may match activities of a type.
    by_type: BTreeMap<ActivityType, Vec<usize>>,
    /// The indexes of the entries that may match activities of all types.
    every_type: Vec<usize>,
    has_control_groups: bool,
}

/// A campaign with its versions, sorted by `from`. It has at least one.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    first: CampaignVersion,
    later: Vec<CampaignVersion>,
}

impl Entry {
    /// The version in force, or the first one when none is in force yet.
    pub(crate) fn version_at(&self, at: Timestamp) -> &CampaignVersion {
        self.later.iter().rfind(|version| version.from <= at).unwrap_or(&self.first)
    }

    pub(crate) fn id(&self) -> &CampaignId {
        self.first.campaign.id()
    }

    fn versions(&self) -> impl Iterator<Item = &CampaignVersion> {
        std::iter::once(&self.first).chain(&self.later)
    }

    fn has_control_group(&self) -> bool {
        self.versions().any(|version| version.campaign.control_percent() > 0)
    }

    /// The types of all versions. `None` when a version is for all types.
    fn types(&self) -> Option<BTreeSet<&ActivityType>> {
        let mut types = BTreeSet::new();
        for version in self.versions() {
            let of_version = &version.campaign.conditions.types;
            if of_version.is_empty() {
                return None;
            }
            types.extend(of_version);
        }
        Some(types)
    }
}

impl RuleSet {
    /// Takes the versions in any order. Of two versions that begin at the same moment, the one with the greater number counts.
    pub fn new(mut versions: Vec<CampaignVersion>, options: Options) -> Self {
        versions.sort_by(|one, other| {
            let key = |version: &CampaignVersion| (version.from, version.version);
            one.campaign.id().cmp(other.campaign.id()).then_with(|| key(one).cmp(&key(other)))
        });
        let mut entries: Vec<Entry> = Vec::new();
        for version in versions {
            match entries.last_mut().filter(|entry| entry.id() == version.campaign.id()) {
                Some(entry) => entry.later.push(version),
                None => entries.push(Entry { first: version, later: Vec::new() }),
            }
        }
        let (by_type, every_type) = index(&entries);
        let has_control_groups = entries.iter().any(Entry::has_control_group);
        Self { entries, options, by_type, every_type, has_control_groups }
    }

    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The budget of the version of a campaign that is in force at a moment.
    pub fn budget_at(&self, id: &CampaignId, at: Timestamp) -> Option<Budget> {
        let index = self.entries.binary_search_by(|entry| entry.id().cmp(id)).ok()?;
        self.entries.get(index)?.version_at(at).campaign.budget()
    }

    /// Whether a version of a campaign has a control group.
    pub fn has_control_groups(&self) -> bool {
        self.has_control_groups
    }

    /// Whether a version of a campaign has a budget.
    pub fn has_budget(&self, id: &CampaignId, version: u32) -> bool {
        let index = self.entries.binary_search_by(|entry| entry.id().cmp(id));
        let entry = index.ok().and_then(|index| self.entries.get(index));
        let mut versions = entry.into_iter().flat_map(Entry::versions);
        versions.any(|known| known.version == version && known.campaign.budget().is_some())
    }

    /// How many campaigns run at a moment. A tenant may have at most [`MAX_RUNNING`].
    pub fn running_at(&self, at: Timestamp) -> usize {
        self.entries.iter().filter(|entry| entry.version_at(at).runs_at(at)).count()
    }

    /// The entries that may match activities of a type, with their indexes.
    pub(crate) fn entries_of(&self, kind: &ActivityType) -> impl Iterator<Item = (usize, &Entry)> {
        let indexes = self.by_type.get(kind).unwrap_or(&self.every_type);
        indexes.iter().filter_map(|&index| Some((index, self.entries.get(index)?)))
    }
}

type TypeIndex = (BTreeMap<ActivityType, Vec<usize>>, Vec<usize>);

/// The entries by activity type. Each list has the entries for all types too.
fn index(entries: &[Entry]) -> TypeIndex {
    let mut by_type: BTreeMap<ActivityType, Vec<usize>> = BTreeMap::new();
    let mut every_type: Vec<usize> = Vec::new();
    for (index, entry) in entries.iter().enumerate() {
        if let Some(types) = entry.types() {
            for kind in types {
                by_type.entry(kind.clone()).or_insert_with(|| every_type.clone()).push(index);
            }
        } else {
            every_type.push(index);
            for indexes in by_type.values_mut() {
                indexes.push(index);
            }
        }
    }
    (by_type, every_type)
}
