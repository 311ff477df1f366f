//! What the audit log says of the changes of one command.

use pointbook_domain::{Feed, FeedEntry, Timestamp};
use serde_json::json;

use super::Facts;
use crate::audit_log::{AuditSeal, Author, ChangeNote, Notes};
use crate::commands::CommandError;
use crate::commands::changes::{BlockRemoval, FeedRestart};

impl Facts {
    /// Collects notes from now on, or not.
    pub(in crate::commands) fn begin_notes(&mut self, is_audited: bool) {
        self.notes = Notes::begin(is_audited);
    }

    /// Notes a change. Makes the note only when the audit log has the command.
    pub fn note(&mut self, note: impl FnOnce() -> ChangeNote) {
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

    /// Adds an event that follows from no other change.
    pub fn tell(&mut self, event: FeedEntry) {
        self.changes.notices.push(event);
    }

    /// Removes old blocks of the feed.
    pub fn remove_blocks(&mut self, removal: BlockRemoval) {
        self.changes.removed_blocks = Some(removal);
    }

    /// The ends of the feed, with the restarts of the commands before.
    ///
    /// # Errors
    /// When the command did not need the table of feeds.
    pub fn feed(&self) -> Result<Feed, CommandError> {
        let stored = self.rows::<Feed>()?.pop().unwrap_or(Feed::EMPTY);
        let restarted = self.changes.feed_restart.map(|restart| restart.to_generation);
        Ok(Feed { generation: restarted.unwrap_or(stored.generation), ..stored })
    }

    /// Begins a new generation of the feed, so that the cursors of the one before are refused.
    pub fn restart_feed(&mut self, restart: FeedRestart) {
        // The stored generation guards the update, also when this is the second restart of a commit.
        let stored = self.changes.feed_restart.map_or(restart.from_generation, |first| first.from_generation);
        self.changes.feed_restart = Some(FeedRestart { from_generation: stored, ..restart });
        let generation = |number: u64| json!({ "generation": number }).as_object().cloned();
        let FeedRestart { from_generation, to_generation } = restart;
        let (before, after) = (generation(from_generation), generation(to_generation));
        self.note(|| ChangeNote::new("feed.restart", "tenant", before, after));
    }

    /// Gives the feed its row when it has none, so that deliveries may number it. The command needs the table.
    ///
    /// # Errors
    /// When the command did not need the table.
    pub fn open_feed(&mut self) -> Result<(), CommandError> {
        if self.rows::<Feed>()?.is_empty() {
            let generation = Feed::EMPTY.generation;
            let opened = FeedRestart { from_generation: generation, to_generation: generation };
            self.changes.feed_restart.get_or_insert(opened);
        }
        Ok(())
    }

    /// Removes old entries of the audit log.
    pub fn seal_audit_log(&mut self, seal: AuditSeal) {
        self.changes.audit_seal = Some(seal);
    }
}
