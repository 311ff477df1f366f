//! What a process remembers of a webhook between its runs.

use std::time::Duration;

use pointbook_domain::WebhookMode;
use tokio::time::Instant;

use crate::webhooks::deliver::{Ahead, LeaseState};

/// The pause between two requests in mode `nudge`, by any process.
const NUDGE_PAUSE: Duration = Duration::from_secs(1);
/// The pause after an error of a run: an event that cannot be rendered, or a database that is away.
const ERROR_PAUSE: Duration = Duration::from_secs(30);
/// How soon to look again when another process delivers. It may end just before it sees the newest events.
const BUSY_PAUSE: Duration = Duration::from_secs(1);

/// No clock that processes would have to agree on decides: the times are those of this process, since it saw a change.
#[derive(Debug)]
pub(super) struct Memory {
    seen: LeaseState,
    /// Since when the webhook is as it was seen.
    since: Instant,
    /// The next run begins no sooner.
    not_before: Instant,
    pub(super) ahead: Ahead,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RunEnd {
    Worked,
    /// Another process changed the webhook before the run.
    NotTaken,
    Failed,
}

impl Memory {
    pub(super) fn new(seen: LeaseState, now: Instant) -> Self {
        Self { seen, since: now, not_before: now, ahead: Ahead::default() }
    }

    pub(super) fn see(&mut self, seen: LeaseState, now: Instant) {
        if self.seen != seen {
            (self.seen, self.since) = (seen, now);
        }
    }

    pub(super) fn end_run(&mut self, end: RunEnd, ahead: Ahead, now: Instant) {
        self.ahead = ahead;
        self.not_before = match end {
            RunEnd::Worked => now,
            RunEnd::NotTaken => now + BUSY_PAUSE,
            RunEnd::Failed => now + ERROR_PAUSE,
        };
    }

    /// How long until this process may take the lease. It should look again after this time.
    pub(super) fn pause(&self, owner: &str, patience: Duration, mode: WebhookMode, now: Instant) -> Duration {
        let unchanged = now.saturating_duration_since(self.since);
        let for_others = match &self.seen.owner {
            Some(other) if other != owner => patience.saturating_sub(unchanged).min(BUSY_PAUSE),
            _ => Duration::ZERO,
        };
        let for_nudge = match mode {
            WebhookMode::Nudge => NUDGE_PAUSE.saturating_sub(unchanged),
            WebhookMode::Each => Duration::ZERO,
        };
        for_others.max(for_nudge).max(self.not_before.saturating_duration_since(now))
    }
}

#[cfg(test)]
mod tests {
    use pointbook_domain::WebhookProgress;
    use pointbook_testkit::build::webhook;

    use super::*;

    const PATIENCE: Duration = Duration::from_mins(1);

    fn leased(owner: Option<&str>, position: u64) -> LeaseState {
        let progress = WebhookProgress::begin(&webhook("wh_1"), None);
        let lease_owner = owner.map(str::to_owned);
        LeaseState::from(&WebhookProgress { lease_owner, position, ..progress })
    }

    fn pause(memory: &Memory, mode: WebhookMode, now: Instant) -> u128 {
        memory.pause("one", PATIENCE, mode, now).as_millis()
    }

    #[test]
    fn the_lease_of_another_process_is_taken_after_a_minute_without_change() {
        let begin = Instant::now();
        let at = |seconds| begin + Duration::from_secs(seconds);
        let mut memory = Memory::new(leased(Some("two"), 1), begin);
        assert_eq!(pause(&memory, WebhookMode::Each, at(0)), 1_000);
        memory.see(leased(Some("two"), 1), at(58));
        assert_eq!(pause(&memory, WebhookMode::Each, at(59)), 1_000);
        memory.see(leased(Some("two"), 2), at(59));
        assert_eq!(pause(&memory, WebhookMode::Each, at(61)), 1_000, "it delivers");
        memory.see(leased(Some("two"), 2), at(118));
        assert_eq!(pause(&memory, WebhookMode::Each, at(119)), 0, "it is dead");
        memory.see(leased(None, 2), at(119));
        assert_eq!(pause(&memory, WebhookMode::Each, at(119)), 0);
        memory.see(leased(Some("one"), 2), at(119));
        assert_eq!(pause(&memory, WebhookMode::Each, at(119)), 0, "an aborted run of this process");
    }

    /// Also when another process sent the last one.
    #[test]
    fn a_second_lies_between_two_nudges() {
        let begin = Instant::now();
        let mut memory = Memory::new(leased(None, 1), begin);
        assert_eq!(pause(&memory, WebhookMode::Nudge, begin), 1_000);
        let later = begin + Duration::from_secs(9);
        assert_eq!(pause(&memory, WebhookMode::Nudge, later), 0);
        memory.see(leased(None, 2), later);
        assert_eq!(pause(&memory, WebhookMode::Nudge, later + Duration::from_millis(400)), 600);
        assert_eq!(pause(&memory, WebhookMode::Each, later), 0);
    }

    #[test]
    fn an_error_causes_a_pause() {
        let begin = Instant::now();
        let mut memory = Memory::new(leased(None, 1), begin);
        for (end, expected) in [(RunEnd::Failed, 30_000), (RunEnd::NotTaken, 1_000), (RunEnd::Worked, 0)] {
            memory.end_run(end, Ahead::default(), begin);
            assert_eq!(pause(&memory, WebhookMode::Each, begin), expected);
        }
    }
}
