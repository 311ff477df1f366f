//! What is known of the rows of one user.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use pointbook_domain::{ActivityType, Day, SourceId, Transaction};

/// A row of the ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredEntry {
    /// Its place among the user's rows, from 1.
    pub seq: u64,
    pub transaction: Arc<Transaction>,
}

/// Days and entries that were loaded. What is missing here was not loaded, which is not the same as absent.
#[derive(Debug, Default)]
pub(super) struct KnownRows {
    days: BTreeMap<Day, bool>,
    /// What stands under a source id, by type.
    entries: HashMap<SourceId, Vec<(ActivityType, Option<StoredEntry>)>>,
}

impl KnownRows {
    pub(super) fn put_day(&mut self, day: Day, has_rows: bool) {
        self.days.entry(day).or_insert(has_rows);
    }

    pub(super) fn put_entry(&mut self, kind: ActivityType, source: SourceId, entry: Option<StoredEntry>) {
        let of_source = self.entries.entry(source).or_default();
        if !of_source.iter().any(|(known, _)| *known == kind) {
            of_source.push((kind, entry));
        }
    }

    /// `None` when it was not loaded.
    pub(super) fn has_rows_on(&self, day: Day) -> Option<bool> {
        self.days.get(&day).copied()
    }

    pub(super) fn has(&self, kind: &ActivityType, source: &SourceId, day: Day) -> bool {
        self.entry(kind, source).is_some() && self.days.contains_key(&day)
    }

    /// What stands under a key; `None` when it was not loaded.
    pub(super) fn entry(&self, kind: &ActivityType, source: &SourceId) -> Option<&Option<StoredEntry>> {
        self.entries.get(source)?.iter().find(|(known, _)| known == kind).map(|(_, entry)| entry)
    }

    pub(super) fn add(&mut self, kind: &ActivityType, source: &SourceId, added: StoredEntry) {
        let of_source = self
            .entries
            .get_mut(source)
            .and_then(|entries| entries.iter_mut().find(|(known, _)| known == kind));
        if let Some((_, entry)) = of_source {
            *entry = Some(added);
        }
    }
}
