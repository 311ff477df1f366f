//! What the audit log says of the changes of one command.

use pointbook_audit_log::{AuditSeal, Author, ChangeNote, Notes};

use pointbook_domain::Timestamp;

use super::Facts;
use crate::commands::changes::BlockRemoval;

impl Facts {
    /// Collects notes from now on, or not.
    pub(in crate::commands) fn begin_notes(&mut self, is_audited: bool) {
        self.notes = Notes::begin(is_audited);
    }

    /// Notes a change. Makes the note only when the audit log has the command.
    pub(crate) fn note(&mut self, note: impl FnOnce() -> ChangeNote) {
        self.notes.add(note);
    }

    /// Adds the notes to the audit log, as changes of this author.
    pub(in crate::commands) fn end_notes(&mut self, author: &Author) {
        self.changes.audit.extend(std::mem::take(&mut self.notes).into_entries(author));
    }

    /// Notes when a command was sent.
    pub(in crate::commands) fn note_time(&mut self, at: Timestamp) {
        self.changes.made_at = self.changes.made_at.max(Some(at));
    }

    /// Removes old blocks of the feed.
    pub fn remove_blocks(&mut self, removal: BlockRemoval) {
        self.changes.removed_blocks = Some(removal);
    }

    /// Removes old entries of the audit log.
    pub fn seal_audit_log(&mut self, seal: AuditSeal) {
        self.changes.audit_seal = Some(seal);
    }
}
