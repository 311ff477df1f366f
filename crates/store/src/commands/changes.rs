//! The changes of commands, which a store saves.

use std::any::TypeId;
use std::collections::BTreeMap;
use std::fmt;

use pointbook_domain::{FeedEntry, NewAuditEntry, Timestamp};

use super::facts::Guard;
use super::kind::{RowKind, TableRow};
use super::needs::Held;
use crate::ports::{NewAnswer, RequestKey};
use crate::schema::{Query, Row, TABLES, Table};

/// Changes of rows, guarded by the values that were read, and what a store adds to its own tables. A failed guard means that another
/// writer was faster. Then the store saves nothing and the commands are decided again.
#[derive(Default)]
pub struct Changes {
    /// In the order in which a store locks tables.
    pub tables: Vec<TableChanges>,
    /// Rows to remove that were not read.
    pub removed_ranges: Vec<Query>,
    /// The real time from which on all jobs of the tenant are due.
    pub all_due_at: Option<Timestamp>,
    /// Jobs, by name and key, with the real times from which on they are due.
    pub due_jobs: BTreeMap<(String, String), Timestamp>,
    /// Entries to add to the audit log, in order.
    pub audit: Vec<NewAuditEntry>,
    /// Events to add to the feed.
    pub events: Vec<FeedEntry>,
    /// When the commands were sent.
    pub made_at: Option<Timestamp>,
    /// Responses to keep under the keys of their requests.
    pub responses: Vec<KeptResponse>,
    /// Keys that were used again.
    pub key_uses: Vec<KeyUse>,
}

/// The changed rows of one type. `Debug` shows only the keys, because a row may have a secret.
pub struct TableChanges {
    pub(crate) kind: RowKind,
    pub inserted: Vec<Row>,
    pub updated: Vec<RowUpdate>,
    /// Rows that take the place of those with the same keys.
    pub overwritten: Vec<Row>,
    /// Keys of removed rows.
    pub removed: Vec<Row>,
}

/// A change of a row that no command reads. `Debug` shows only the key, because a row may have a secret.
#[derive(Clone, PartialEq, Eq)]
pub enum RowChange {
    /// The row takes the place of one with the same key.
    Write(&'static Table, Row),
    /// No row has the key of this one any more. The row may be the key alone.
    Remove(&'static Table, Row),
}

/// A row as it was read, and as it is now.
#[derive(PartialEq, Eq)]
pub struct RowUpdate {
    pub before: Row,
    pub after: Row,
    pub(crate) guards: Vec<Guard>,
    pub(crate) held: Held,
}

impl RowUpdate {
    /// What must hold of the stored row, besides the guards of its table.
    pub fn guards(&self) -> &[Guard] {
        &self.guards
    }
}

impl TableChanges {
    pub(super) fn new(kind: RowKind) -> Self {
        let (inserted, updated, overwritten, removed) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { kind, inserted, updated, overwritten, removed }
    }

    /// Complete rows of tables that no command reads.
    pub(super) fn of_rows(changes: Vec<RowChange>) -> impl Iterator<Item = Self> {
        let mut tables: BTreeMap<&str, Self> = BTreeMap::new();
        for change in changes {
            let (RowChange::Write(table, _) | RowChange::Remove(table, _)) = &change;
            let of_table = tables.entry(table.name).or_insert_with(|| Self::new(RowKind::of_table(table)));
            match change {
                RowChange::Write(_, row) => of_table.overwritten.push(row),
                RowChange::Remove(table, row) => of_table.removed.push(table.key_of(&row).to_vec()),
            }
        }
        tables.into_values()
    }

    pub(super) fn is_empty(&self) -> bool {
        let Self { kind: _, inserted, updated, overwritten, removed } = self;
        inserted.is_empty() && updated.is_empty() && overwritten.is_empty() && removed.is_empty()
    }

    /// The name of the table.
    pub fn table(&self) -> &'static str {
        self.kind.table.name
    }
}

impl fmt::Debug for TableChanges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let keys = |rows: &[Row]| rows.iter().map(|row| self.kind.describe_key(row)).collect::<Vec<_>>();
        let updated: Vec<_> =
            self.updated.iter().map(|update| self.kind.describe_key(&update.after)).collect();
        f.debug_struct(self.table())
            .field("inserted", &keys(&self.inserted))
            .field("updated", &updated)
            .field("overwritten", &keys(&self.overwritten))
            .field("removed", &keys(&self.removed))
            .finish()
    }
}

/// A response to keep under the key of its request.
#[derive(Debug)]
pub struct KeptResponse {
    pub key: RequestKey,
    pub now: Timestamp,
    pub response: NewAnswer,
}

/// A key whose request was repeated.
#[derive(Debug)]
pub struct KeyUse {
    pub key: RequestKey,
    pub now: Timestamp,
}

impl fmt::Debug for RowChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Write(table, row) | Self::Remove(table, row)) = self;
        let kind = if matches!(self, Self::Write(..)) { "Write" } else { "Remove" };
        f.debug_tuple(kind).field(&table.name).field(&table.key_of(row)).finish()
    }
}

impl Changes {
    /// The changed tables, each after those that its rows refer to.
    pub(crate) fn by_reference(&self) -> Vec<&TableChanges> {
        let place = |changed: &&TableChanges| TABLES.iter().position(|table| table.name == changed.table());
        let mut tables: Vec<_> = self.tables.iter().collect();
        tables.sort_by_key(place);
        tables
    }

    /// The changed rows of all tables: a new or changed row with all cells of its type, a removed row with its key.
    pub fn rows(&self) -> Vec<RowChange> {
        let of_table = |changed: &TableChanges| {
            let table = changed.kind.table;
            let written = changed.inserted.iter().chain(changed.updated.iter().map(|update| &update.after));
            let written = written.chain(&changed.overwritten).map(|row| RowChange::Write(table, row.clone()));
            let removed = changed.removed.iter().map(|key| RowChange::Remove(table, key.clone()));
            removed.chain(written).collect::<Vec<_>>()
        };
        self.tables.iter().flat_map(of_table).collect()
    }

    /// The changed rows of a type. `None` when none changed.
    pub fn of<T: TableRow>(&self) -> Option<&TableChanges> {
        self.tables.iter().find(|changed| changed.kind.id == TypeId::of::<T>())
    }
}
