//! The versions of campaigns that a process knows.

use std::collections::BTreeMap;
use std::sync::Arc;

use pointbook_campaigns::CampaignVersion;
use pointbook_store::StoreError;
use pointbook_store::commands::Range;
use pointbook_store::schema::rows::CampaignVersionRow;

use super::version_of;

/// The stored versions of all campaigns of a tenant. Versions are only added, each with the next revision. So a command that has
/// these needs only the newer ones in its turn. The default knows none.
#[derive(Clone, Default)]
pub struct KnownVersions(Arc<Known>);

#[derive(Clone, Default)]
struct Known {
    by_revision: Vec<Arc<StoredVersion>>,
    by_campaign: BTreeMap<Arc<str>, Vec<Arc<StoredVersion>>>,
    definition_bytes: usize,
}

/// A stored version, and what it says.
pub struct StoredVersion {
    pub row: CampaignVersionRow,
    parsed: Result<CampaignVersion, String>,
}

impl StoredVersion {
    pub fn new(row: CampaignVersionRow) -> Self {
        let parsed = version_of(&row).map_err(|error| match error {
            StoreError::Corrupt(why) => why,
            other => other.to_string(),
        });
        Self { row, parsed }
    }

    /// # Errors
    /// A sentence, when this release cannot read it.
    pub fn parsed(&self) -> Result<&CampaignVersion, String> {
        self.parsed.as_ref().map_err(Clone::clone)
    }
}

impl KnownVersions {
    /// The rows that were added since.
    pub fn newer(&self) -> Range {
        let next = self.last().map_or(0, |version| version.row.revision) + 1;
        Range::default().between("revision", [&next, &i64::MAX.cast_unsigned()])
    }

    /// By revision.
    pub fn all(&self) -> &[Arc<StoredVersion>] {
        &self.0.by_revision
    }

    /// By campaign, then by revision.
    pub fn campaigns(&self) -> &BTreeMap<Arc<str>, Vec<Arc<StoredVersion>>> {
        &self.0.by_campaign
    }

    /// The bytes of all definitions together.
    pub fn definition_bytes(&self) -> usize {
        self.0.definition_bytes
    }

    /// Whether both are of the same look.
    pub(super) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    pub(super) fn last(&self) -> Option<&StoredVersion> {
        self.0.by_revision.last().map(|version| &**version)
    }

    /// Adds newer versions, by revision.
    pub(super) fn add(&mut self, newer: impl IntoIterator<Item = StoredVersion>) {
        let known = Arc::make_mut(&mut self.0);
        for version in newer.into_iter().map(Arc::new) {
            let id = version.row.campaign_id.as_str();
            match known.by_campaign.get_mut(id) {
                Some(versions) => versions.push(version.clone()),
                None => drop(known.by_campaign.insert(id.into(), vec![version.clone()])),
            }
            known.definition_bytes += version.row.definition.len();
            known.by_revision.push(version);
        }
    }
}
