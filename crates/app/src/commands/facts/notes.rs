//! What the audit log says of the changes of one command.

use pointbook_domain::NewAuditEntry;

use super::Facts;
use pointbook_audit_log::{AuditSeal, Author, ChangeNote};

/// The notes of the command that decides now. `None` when the audit log leaves the command out.
#[derive(Debug, Default)]
pub(super) struct Notes(Option<Vec<ChangeNote>>);

impl Facts {
    /// Collects notes from now on, or not.
    pub(in crate::commands) fn begin_notes(&mut self, is_audited: bool) {
        self.notes = Notes(is_audited.then(Vec::new));
    }

    /// Notes a change. Makes the note only when the audit log has the command.
    pub(crate) fn note(&mut self, note: impl FnOnce() -> ChangeNote) {
        if let Notes(Some(notes)) = &mut self.notes {
            notes.push(note());
        }
    }

    /// Adds the notes to the audit log, as changes of this author.
    pub(in crate::commands) fn end_notes(&mut self, author: &Author) {
        let Notes(notes) = std::mem::take(&mut self.notes);
        let entries = notes.into_iter().flatten().map(|note| note.into_entry(author));
        self.changes.audit.extend(entries.collect::<Vec<NewAuditEntry>>());
    }

    /// Removes old entries of the audit log.
    pub(crate) fn seal_audit_log(&mut self, seal: AuditSeal) {
        self.changes.audit_seal = Some(seal);
    }
}
