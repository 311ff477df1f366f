//! The facts that commands need to decide.

use std::any::TypeId;
use std::collections::{BTreeMap, BTreeSet};

use pointbook_domain::Timestamp;

use super::kind::{RowKind, TableRow};
use super::range::Range;
use crate::schema::{Query, Row, Write, cells};

/// Whether a transaction on PostgreSQL holds a row until its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Held {
    /// Another writer may change it meanwhile. Guards notice that.
    No,
    Yes,
}

/// What commands need of one type of rows.
pub(crate) struct RowNeeds {
    pub(crate) kind: RowKind,
    /// Keys of rows that they may change.
    pub(crate) held: BTreeSet<Row>,
    /// Keys of rows that a store need not lock.
    pub(crate) read: BTreeSet<Row>,
    pub(crate) ranges: BTreeMap<Range, Query>,
    /// Keys of which they ask only whether the row exists.
    pub(crate) existing: BTreeSet<Row>,
    /// Ranges of which they ask only whether they have a row.
    pub(crate) filled: BTreeSet<Range>,
}

impl RowNeeds {
    fn is_empty(&self) -> bool {
        let Self { kind: _, held, read, ranges, existing, filled } = self;
        let has_no_key = held.is_empty() && read.is_empty() && existing.is_empty();
        has_no_key && ranges.is_empty() && filled.is_empty()
    }
}

/// The facts to load. A need of two commands is loaded once.
#[derive(Default)]
pub struct Needs {
    rows: Vec<RowNeeds>,
    /// Whether something of the tenant happened after this time.
    pub events_after: Option<Timestamp>,
}

impl Needs {
    /// The row with this key. A store locks it as its table says.
    pub fn row<T: TableRow>(&mut self, key: &(impl Write + ?Sized)) {
        self.of::<T>().held.insert(key_of(key));
    }

    /// The row with this key, which a store need not lock: guards notice when another writer was faster.
    pub fn unlocked<T: TableRow>(&mut self, key: &(impl Write + ?Sized)) {
        self.of::<T>().read.insert(key_of(key));
    }

    pub fn rows<T: TableRow>(&mut self, range: Range) {
        self.of::<T>().ranges.entry(range).or_insert_with_key(|range| range.query::<T>("load_rows"));
    }

    /// All rows of a table, which must be few.
    pub fn table<T: TableRow>(&mut self) {
        self.rows::<T>(Range::default());
    }

    /// Whether there is a row with this key.
    pub fn exists<T: TableRow>(&mut self, key: &(impl Write + ?Sized)) {
        self.of::<T>().existing.insert(key_of(key));
    }

    /// Whether a range has a row.
    pub fn any<T: TableRow>(&mut self, range: Range) {
        self.of::<T>().filled.insert(range);
    }

    fn of<T: TableRow>(&mut self) -> &mut RowNeeds {
        let known = self.rows.iter().position(|needs| needs.kind.id == TypeId::of::<T>());
        let place = known.unwrap_or_else(|| {
            let (held, read, existing) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
            let (kind, ranges, filled) = (RowKind::of::<T>(), BTreeMap::new(), BTreeSet::new());
            self.rows.push(RowNeeds { kind, held, read, ranges, existing, filled });
            self.rows.len() - 1
        });
        &mut self.rows[place]
    }

    /// The needs of rows, in the order in which a store locks their tables.
    pub(crate) fn rows_in_order(&self) -> Vec<&RowNeeds> {
        let mut rows: Vec<_> = self.rows.iter().collect();
        rows.sort_by_key(|needs| (needs.kind.table.lock_order, needs.kind.table.name));
        rows
    }

    pub(super) fn rows_mut(&mut self) -> impl Iterator<Item = &mut RowNeeds> {
        self.rows.iter_mut()
    }

    /// Whether nothing is needed.
    pub fn is_empty(&self) -> bool {
        let Self { rows, events_after } = self;
        rows.iter().all(RowNeeds::is_empty) && events_after.is_none()
    }
}

/// A key as it is stored.
pub(super) fn key_of(key: &(impl Write + ?Sized)) -> Row {
    cells(key).into_iter().map(Into::into).collect()
}
