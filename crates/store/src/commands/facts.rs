//! The working set of commands: the rows that a store loaded, and what the commands before this one changed.

mod rows;

use std::any::TypeId;
use std::collections::BTreeMap;

use pointbook_domain::{EventType, FeedEntry, Timestamp};

pub use self::rows::Guard;
use self::rows::{AnyRows, Known, Rows, Slot};
use super::kind::{RowKind, TableRow};
use super::needs::{Held, RowNeeds, key_of};
use super::{Changes, CommandError, Needs, Range, RowChange, TableChanges};
use crate::audit_log::{Author, ChangeNote, Notes};
use crate::measure::WriteTally;
use crate::ports::{NewAnswer, RequestKey, StoredAnswer};
use crate::schema::{Corrupt, Record, Row, Source, Write};

/// The loaded part of a tenant's data. Facts that were not loaded are missing. That is not the same as absent. It has no `Debug`,
/// because its rows may have secrets.
#[derive(Default)]
pub struct Facts {
    rows: Vec<(TypeId, Box<dyn AnyRows>)>,
    /// Whether a table has a row with a key.
    existing: BTreeMap<(&'static str, Row), bool>,
    /// Whether a range of a table has a row.
    filled: BTreeMap<(&'static str, Range), bool>,
    /// Rows of tables that no command reads.
    unread: Vec<RowChange>,
    /// A time, and whether something happened after it.
    events_after: Option<(Timestamp, bool)>,
    /// By principal and key.
    keys: BTreeMap<(String, String), KeyFact>,
    /// Whether a store skipped a row that another writer holds.
    lacks_some: bool,
    notes: Notes,
    tally: WriteTally,
    changes: Changes,
}

/// The stored part of an executed request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredKey {
    /// The SHA-256 of the request.
    pub fingerprint: [u8; 32],
    pub answer: StoredAnswer,
}

#[derive(Debug)]
pub(super) enum KeyFact {
    /// No request with this key was executed.
    Free,
    /// The key is free, but its principal has as many keys as allowed.
    Full,
    Stored(StoredKey),
    /// A command that was decided on these facts has the key.
    UsedNow,
}

/// Rows that commands read and change. Each function fails when the command did not need the row.
impl Facts {
    /// The row with this key, as the commands before left it. `None` when there is none.
    pub fn get<T: TableRow>(&self, key: &(impl Write + ?Sized)) -> Result<Option<&T>, CommandError> {
        Ok(self.slot::<T>(&key_of(key))?.and_then(|slot| slot.now.as_ref()))
    }

    /// The row with this key, as it is stored.
    pub fn stored<T: TableRow>(&self, key: &(impl Write + ?Sized)) -> Result<Option<&T>, CommandError> {
        Ok(self.slot::<T>(&key_of(key))?.and_then(|slot| slot.stored.as_ref()))
    }

    /// The rows of a range, in the order of their keys.
    pub fn rows<T: TableRow>(&self, range: &Range) -> Result<Vec<&T>, CommandError> {
        let rows = self.loaded::<T>().and_then(|rows| rows.range(range));
        rows.ok_or_else(CommandError::not_loaded(T::TABLE.name))
    }

    /// All rows of a table.
    pub fn table<T: TableRow>(&self) -> Result<Vec<T>, CommandError> {
        Ok(self.rows::<T>(&Range::default())?.into_iter().cloned().collect())
    }

    /// Whether there is a row with this key.
    pub fn exists<T: TableRow>(&self, key: &(impl Write + ?Sized)) -> Result<bool, CommandError> {
        let key = key_of(key);
        if let Ok(slot) = self.slot::<T>(&key) {
            return Ok(slot.is_some_and(|slot| slot.now.is_some()));
        }
        let known = self.existing.get(&(T::TABLE.name, key));
        known.copied().ok_or_else(CommandError::not_loaded(T::TABLE.name))
    }

    /// Whether a range has a row, as it was loaded or noted.
    pub fn any<T: TableRow>(&self, range: &Range) -> Result<bool, CommandError> {
        let known = self.filled.get(&(T::TABLE.name, range.clone()));
        known.copied().ok_or_else(CommandError::not_loaded(T::TABLE.name))
    }

    /// Notes that a range has a row now, for the commands after this one.
    pub fn note_any<T: TableRow>(&mut self, range: Range) {
        self.filled.insert((T::TABLE.name, range), true);
    }

    /// Writes a row, in place of the one with the same key.
    pub fn put<T: TableRow>(&mut self, row: T) -> Result<(), CommandError> {
        if self.loaded_mut::<T>().put(row) { Ok(()) } else { Err(CommandError::not_loaded(T::TABLE.name)()) }
    }

    /// Adds a row whose key is new. No command needs to have loaded it.
    pub fn insert<T: TableRow>(&mut self, row: T) {
        self.loaded_mut::<T>().insert(row);
    }

    /// Writes a row in place of one with the same key, which the command did not load, for example because the table is large.
    pub fn overwrite<T: TableRow>(&mut self, row: T) {
        self.loaded_mut::<T>().overwrite(row);
    }

    /// Removes the row with the key of this one.
    pub fn remove<T: TableRow>(&mut self, row: &T) -> Result<(), CommandError> {
        if self.loaded_mut::<T>().remove(row) {
            Ok(())
        } else {
            Err(CommandError::not_loaded(T::TABLE.name)())
        }
    }

    /// Removes the row with the key of this one, which the command did not load.
    pub fn remove_unread<T: TableRow>(&mut self, row: &T) {
        self.loaded_mut::<T>().remove_unread(row);
    }

    /// Changes rows of tables that no command reads. No other command of the commit changes them.
    pub fn change_rows(&mut self, changes: impl IntoIterator<Item = RowChange>) {
        self.unread.extend(changes);
    }

    /// Removes all rows of a range, which the command did not load.
    pub fn remove_range<T: TableRow>(&mut self, range: &Range) {
        self.changes.removed_ranges.push(range.query::<T>("load_rows"));
    }

    /// What must hold of a stored row besides [`crate::schema::Table::guards`] when its change is saved. A later guard of the same column
    /// replaces it.
    pub fn guard<T: TableRow>(&mut self, key: &(impl Write + ?Sized), guard: Guard) {
        self.loaded_mut::<T>().guard(&key_of(key), guard);
    }

    /// `None` when there was no row with this key.
    fn slot<T: TableRow>(&self, key: &Row) -> Result<Option<&Slot<T>>, CommandError> {
        match self.loaded::<T>().map_or(Known::No, |rows| rows.find(key)) {
            Known::Row(slot) => Ok(Some(slot)),
            Known::Absent => Ok(None),
            Known::No => Err(CommandError::not_loaded(T::TABLE.name)()),
        }
    }

    fn loaded<T: TableRow>(&self) -> Option<&Rows<T>> {
        let (_, rows) = self.rows.iter().find(|(id, _)| *id == TypeId::of::<T>())?;
        rows.as_any().downcast_ref()
    }

    fn loaded_mut<T: TableRow>(&mut self) -> &mut Rows<T> {
        let place = self.rows.iter().position(|(id, _)| *id == TypeId::of::<T>()).unwrap_or_else(|| {
            self.rows.push((TypeId::of::<T>(), Box::new(Rows::<T>::default())));
            self.rows.len() - 1
        });
        self.rows
            .get_mut(place)
            .and_then(|(_, rows)| rows.as_any_mut().downcast_mut())
            .unwrap_or_else(|| unreachable!("rows are kept under their type"))
    }
}

/// Rows that a store loads. A row that is known stays as it is: a command may have changed it.
impl Facts {
    pub(super) fn put_stored<T: TableRow>(&mut self, source: &dyn Source, held: Held) -> Result<(), Corrupt> {
        let row: T = Record::new(T::TABLE.name, T::KEY, source).read()?;
        self.loaded_mut::<T>().load(row, held);
        Ok(())
    }

    pub(super) fn put_absent<T: TableRow>(&mut self, key: Row) {
        self.loaded_mut::<T>().load_absent(key);
    }

    pub(super) fn put_range<T: TableRow>(&mut self, range: &Range) {
        self.loaded_mut::<T>().add_range(range);
    }

    /// Loads a row as a store does, for tests of commands.
    pub fn load<T: TableRow>(&mut self, row: T) {
        self.loaded_mut::<T>().load(row, Held::Yes);
    }

    /// Notes that there is no row with this key, for tests of commands.
    pub fn load_none<T: TableRow>(&mut self, key: &(impl Write + ?Sized)) {
        self.put_absent::<T>(key_of(key));
    }

    /// Loads all rows of a range, for tests of commands.
    pub fn load_range<T: TableRow>(&mut self, range: &Range, rows: impl IntoIterator<Item = T>) {
        self.put_range::<T>(range);
        rows.into_iter().for_each(|row| self.load(row));
    }

    /// Notes whether there is a row with this key, for tests of commands.
    pub fn load_existence<T: TableRow>(&mut self, key: &(impl Write + ?Sized), exists: bool) {
        self.put_existing(T::TABLE.name, key_of(key), exists);
    }

    pub(crate) fn put_existing(&mut self, table: &'static str, key: Row, exists: bool) {
        self.existing.entry((table, key)).or_insert(exists);
    }

    /// Notes whether a range has a row.
    pub fn put_any(&mut self, table: &'static str, range: Range, has_row: bool) {
        self.filled.entry((table, range)).or_insert(has_row);
    }

    pub(crate) fn knows_row(&self, kind: &RowKind, key: &Row) -> bool {
        self.rows.iter().any(|(id, rows)| *id == kind.id && rows.knows(key))
    }

    /// Notes that a store skipped a row that another writer holds.
    pub(crate) fn note_skipped(&mut self) {
        self.lacks_some = true;
    }

    pub(super) fn lacks_some(&self) -> bool {
        self.lacks_some
    }

    /// The needs that were not loaded.
    pub(super) fn missing(&self, mut needs: Needs) -> Needs {
        for RowNeeds { kind, held, read, ranges, existing, filled } in needs.rows_mut() {
            let rows = self.rows.iter().find(|(id, _)| *id == kind.id).map(|(_, rows)| rows);
            let knows = |key: &Row| rows.is_some_and(|rows| rows.knows(key));
            held.retain(|key| !knows(key));
            read.retain(|key| !knows(key));
            ranges.retain(|range, _| !rows.is_some_and(|rows| rows.knows_range(range)));
            existing
                .retain(|key| !knows(key) && !self.existing.contains_key(&(kind.table.name, key.clone())));
            filled.retain(|range| !self.filled.contains_key(&(kind.table.name, range.clone())));
        }
        let known = self.events_after.map(|(at, _)| at);
        needs.events_after = needs.events_after.filter(|at| known != Some(*at));
        needs
    }

    #[must_use]
    pub fn into_changes(self) -> Changes {
        let Self { rows, unread, mut changes, .. } = self;
        changes.tables = rows.into_iter().filter_map(|(_, rows)| rows.into_changes()).collect();
        changes.tables.extend(TableChanges::of_rows(unread));
        changes.tables.sort_by_key(|changed| (changed.kind.table.lock_order, changed.table()));
        changes
    }
}

/// Facts that are no rows.
impl Facts {
    /// Whether something of the tenant happened after this time.
    pub fn put_events_after(&mut self, at: Timestamp, has_some: bool) {
        self.events_after = Some((at, has_some));
    }

    pub fn has_events_after(&self, at: Timestamp) -> Result<bool, CommandError> {
        let known = self.events_after.filter(|(known, _)| *known == at);
        known.map(|(_, has_some)| has_some).ok_or_else(CommandError::not_loaded("tenants"))
    }

    /// Makes all jobs of the tenant due at this real time, because they follow its clock.
    pub fn make_all_due(&mut self, at: Timestamp) {
        self.changes.all_due_at = Some(at);
    }

    /// Makes a recurring job due at this real time, or at the earlier one at which it is due already.
    pub fn make_due(&mut self, job: &'static str, at: Timestamp) {
        self.make_one_due(job.to_owned(), String::new(), at);
    }

    /// The same for a job with a key.
    pub(crate) fn make_one_due(&mut self, name: String, key: String, at: Timestamp) {
        let due_at = self.changes.due_jobs.entry((name, key)).or_insert(at);
        *due_at = at.min(*due_at);
    }

    /// Adds to the counters of the tenant what the present command did.
    pub fn tally(&mut self) -> &mut WriteTally {
        &mut self.tally
    }

    pub(super) fn take_tally(&mut self) -> WriteTally {
        std::mem::take(&mut self.tally)
    }
}

/// What the feed and the audit log say of a command.
impl Facts {
    /// Collects notes from now on, or not.
    pub(super) fn begin_notes(&mut self, is_audited: bool) {
        self.notes = Notes::begin(is_audited);
    }

    /// Notes a change. Makes the note only when the audit log has the command.
    pub fn note(&mut self, note: impl FnOnce() -> ChangeNote) {
        self.notes.add(note);
    }

    /// Adds the notes to the audit log, as changes of this author.
    pub(super) fn end_notes(&mut self, author: &Author) {
        self.changes.audit.extend(std::mem::take(&mut self.notes).into_entries(author));
    }

    /// Notes when a command was sent, or when a row of the ledger was recorded. The feed tells the latest.
    pub fn note_time(&mut self, at: Timestamp) {
        self.changes.made_at = self.changes.made_at.max(Some(at));
    }

    /// Adds an event to the feed. What several commands of a commit say is told once.
    pub fn tell(&mut self, event: FeedEntry) {
        self.changes.events.push(event);
    }

    /// Tells of a row of the ledger that it takes back another one.
    pub fn tell_reversal(&mut self, user_id: &pointbook_domain::UserId, seq: u64) {
        let is_row = |event: &&mut FeedEntry| {
            event.user_id.as_ref() == Some(user_id) && event.row.is_some_and(|(_, row)| row == seq)
        };
        if let Some(event) = self.changes.events.iter_mut().rev().find(is_row) {
            event.kind = EventType::TransactionReversed;
        }
    }
}

/// Keys of requests.
impl Facts {
    /// The stored request under a key, and whether the principal has as many keys as allowed.
    pub fn put_key(&mut self, key: &RequestKey, stored: Option<StoredKey>, is_full: bool) {
        let fact = match stored {
            Some(stored) => KeyFact::Stored(stored),
            None if is_full => KeyFact::Full,
            None => KeyFact::Free,
        };
        self.keys.entry(name_of(key)).or_insert(fact);
    }

    pub fn has_stored_key(&self, key: &RequestKey) -> bool {
        matches!(self.key(key), Some(KeyFact::Stored(_)))
    }

    pub(super) fn key(&self, key: &RequestKey) -> Option<&KeyFact> {
        self.keys.get(&name_of(key))
    }

    pub(super) fn keep_response(&mut self, key: &RequestKey, now: Timestamp, response: NewAnswer) {
        self.keys.insert(name_of(key), KeyFact::UsedNow);
        self.changes.responses.push(super::KeptResponse { key: key.clone(), now, response });
    }

    pub(super) fn use_key(&mut self, key: &RequestKey, now: Timestamp) {
        self.keys.insert(name_of(key), KeyFact::UsedNow);
        self.changes.key_uses.push(super::KeyUse { key: key.clone(), now });
    }
}

fn name_of(key: &RequestKey) -> (String, String) {
    (key.principal.clone(), key.key.clone())
}

#[cfg(test)]
mod tests;
