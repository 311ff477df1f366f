//! What the audit log says of the changes of one command.

use pointbook_audit_log::{AuditSeal, Author, ChangeNote, Notes};

use super::Facts;

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

    /// Removes old entries of the audit log.
    pub(crate) fn seal_audit_log(&mut self, seal: AuditSeal) {
        self.changes.audit_seal = Some(seal);
    }
}
