//! The virtual clock of the tenant while a command sets it.

use pointbook_domain::{ClockOffset, Timestamp};
use serde_json::json;

use super::Facts;
use crate::audit_log::ChangeNote;
use crate::commands::{ClockChange, CommandError};

impl Facts {
    pub fn put_clock(&mut self, offset: ClockOffset) {
        self.clock.get_or_insert(offset);
    }

    /// Whether something of the tenant happened after this time.
    pub fn put_events_after(&mut self, at: Timestamp, has_some: bool) {
        self.events_after = Some((at, has_some));
    }

    pub fn has_events_after(&self, at: Timestamp) -> Result<bool, CommandError> {
        let known = self.events_after.filter(|(known, _)| *known == at);
        known.map(|(_, has_some)| has_some).ok_or_else(CommandError::not_loaded("tenants"))
    }

    pub fn clock(&self) -> Result<ClockOffset, CommandError> {
        self.clock.ok_or_else(CommandError::not_loaded("tenants"))
    }

    /// Sets the clock. All jobs of the tenant are due at the real time `jobs_due_at`.
    pub fn set_clock(&mut self, after: ClockOffset, jobs_due_at: Timestamp) -> Result<(), CommandError> {
        let before = self.clock()?;
        if before != after {
            self.clock = Some(after);
            self.changes.clock = Some(ClockChange { before, after, jobs_due_at });
            self.note(|| clock_note(before, after));
        }
        Ok(())
    }

    /// Makes a recurring job due at this real time, or at the earlier one at which it is due already.
    pub fn make_due(&mut self, job: &'static str, at: Timestamp) {
        let due_at = self.changes.due_jobs.entry(job).or_insert(at);
        *due_at = at.min(*due_at);
    }
}

/// By how many seconds the clock is ahead of the real time.
fn clock_note(before: ClockOffset, after: ClockOffset) -> ChangeNote {
    let ahead = |offset: ClockOffset| {
        json!({ "clock_ahead_seconds": offset.as_micros() / 1_000_000 }).as_object().cloned()
    };
    ChangeNote::new("clock.set", "tenant", ahead(before), ahead(after))
}
