//! The rows of one type, as they are stored and as they are now.

use std::any::Any;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use crate::commands::changes::{RowUpdate, TableChanges};
use crate::commands::kind::{RowKind, TableRow};
use crate::commands::needs::{Held, key_of};
use crate::commands::range::Range;
use crate::schema::{Cell, Row};

/// What must hold of a stored row when its change is saved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Guard {
    /// The column has this value.
    Is(&'static str, Cell),
    /// The column has a number of this range, both before and after the change.
    Within(&'static str, [i64; 2]),
}

impl Guard {
    pub(crate) fn column(&self) -> &'static str {
        let (Self::Is(column, _) | Self::Within(column, _)) = self;
        column
    }
}

pub(super) struct Slot<T> {
    pub(super) stored: Option<T>,
    pub(super) now: Option<T>,
    guards: Vec<Guard>,
    held: Held,
    /// Whether no store loaded the row.
    is_unread: bool,
}

impl<T> Slot<T> {
    fn new(stored: Option<T>, now: Option<T>, held: Held) -> Self {
        Self { stored, now, guards: Vec::new(), held, is_unread: false }
    }
}

pub(super) struct Rows<T> {
    slots: BTreeMap<Row, Slot<T>>,
    ranges: BTreeSet<Range>,
}

impl<T> Default for Rows<T> {
    fn default() -> Self {
        Self { slots: BTreeMap::new(), ranges: BTreeSet::new() }
    }
}

/// [`Rows`] of any type.
pub(super) trait AnyRows: Send + Sync {
    fn as_any(&self) -> &dyn Any;
    fn as_any_mut(&mut self) -> &mut dyn Any;
    fn knows(&self, key: &Row) -> bool;
    fn knows_range(&self, range: &Range) -> bool;
    /// `None` when nothing changed.
    fn into_changes(self: Box<Self>) -> Option<TableChanges>;
}

/// What was loaded of a row.
pub(super) enum Known<'r, T> {
    /// Nothing.
    No,
    /// A range that would have it, and has it not.
    Absent,
    Row(&'r Slot<T>),
}

impl<T: TableRow> Rows<T> {
    pub(super) fn find(&self, key: &Row) -> Known<'_, T> {
        match self.slots.get(key) {
            Some(slot) if slot.is_unread => Known::No,
            Some(slot) => Known::Row(slot),
            None if self.ranges.iter().any(|range| range.has_key(&T::list(), key)) => Known::Absent,
            None => Known::No,
        }
    }

    /// The present rows of a loaded range.
    pub(super) fn range(&self, range: &Range) -> Option<Vec<&T>> {
        if !self.ranges.contains(range) {
            return None;
        }
        let columns = T::list();
        let prefix = range.prefix(columns.get(..T::KEY).unwrap_or_default());
        let near = self.slots.range(prefix.clone()..).take_while(|(key, _)| key.starts_with(&prefix));
        let now = near.filter_map(|(_, slot)| slot.now.as_ref());
        Some(now.filter(|row| *range == Range::default() || range.has(&columns, &key_of(*row))).collect())
    }

    pub(super) fn load(&mut self, row: T, held: Held) {
        let slot = self.slots.entry(key(&row));
        let slot = slot.or_insert_with(|| Slot::new(Some(row.clone()), Some(row), held));
        slot.held = slot.held.max(held);
    }

    pub(super) fn load_absent(&mut self, key: Row) {
        self.slots.entry(key).or_insert_with(|| Slot::new(None, None, Held::No));
    }

    pub(super) fn add_range(&mut self, range: &Range) {
        self.ranges.insert(range.clone());
    }

    pub(super) fn put(&mut self, row: T) -> bool {
        let key = key(&row);
        if let Some(slot) = self.slots.get_mut(&key) {
            slot.now = Some(row);
            return true;
        }
        let is_of_range = self.ranges.iter().any(|range| range.has(&T::list(), &key_of(&row)));
        if is_of_range {
            self.slots.insert(key, Slot::new(None, Some(row), Held::No));
        }
        is_of_range
    }

    pub(super) fn insert(&mut self, row: T) {
        match self.slots.entry(key(&row)) {
            Entry::Vacant(free) => {
                free.insert(Slot::new(None, Some(row), Held::No));
            }
            Entry::Occupied(mut known) => known.get_mut().now = Some(row),
        }
    }

    pub(super) fn overwrite(&mut self, row: T) {
        let key = key(&row);
        self.slots.insert(key, Slot { is_unread: true, ..Slot::new(None, Some(row), Held::No) });
    }

    pub(super) fn remove(&mut self, row: &T) -> bool {
        let slot = self.slots.get_mut(&key(row)).filter(|slot| !slot.is_unread);
        slot.map(|slot| slot.now = None).is_some()
    }

    pub(super) fn remove_unread(&mut self, row: &T) {
        let slot = Slot { is_unread: true, ..Slot::new(Some(row.clone()), None, Held::No) };
        self.slots.insert(key(row), slot);
    }

    pub(super) fn guard(&mut self, key: &Row, guard: Guard) {
        let Some(Slot { guards, .. }) = self.slots.get_mut(key) else { return };
        guards.retain(|other| other.column() != guard.column());
        guards.push(guard);
    }
}

fn key<T: TableRow>(row: &T) -> Row {
    let mut cells = key_of(row);
    cells.truncate(T::KEY);
    cells
}

impl<T: TableRow> AnyRows for Rows<T> {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }

    fn knows(&self, key: &Row) -> bool {
        !matches!(self.find(key), Known::No)
    }

    fn knows_range(&self, range: &Range) -> bool {
        self.ranges.contains(range)
    }

    fn into_changes(self: Box<Self>) -> Option<TableChanges> {
        let mut changes = TableChanges::new(RowKind::of::<T>());
        for (key, slot) in self.slots {
            match slot {
                Slot { now: Some(row), is_unread: true, .. } => changes.overwritten.push(key_of(&row)),
                Slot { now: None, is_unread: true, .. } | Slot { stored: Some(_), now: None, .. } => {
                    changes.removed.push(key);
                }
                Slot { stored: None, now: Some(row), .. } => changes.inserted.push(key_of(&row)),
                Slot { stored: Some(before), now: Some(after), guards, held, .. } => {
                    let (before, after) = (key_of(&before), key_of(&after));
                    if before != after {
                        changes.updated.push(RowUpdate { before, after, guards, held });
                    }
                }
                Slot { stored: None, now: None, .. } => {}
            }
        }
        (!changes.is_empty()).then_some(changes)
    }
}
