//! Begins a new generation of the feed, after the database was restored.

use pointbook_domain::{Cursor, Feed, Timestamp};
use pointbook_store::audit_log::ChangeNote;
use pointbook_store::commands::{Command, CommandError, Facts, Needs};
use pointbook_store::{Context, StoreResult};
use serde_json::json;

/// Begins a generation at this real time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RestartFeed(pub Timestamp);

impl Command for RestartFeed {
    /// The feed afterwards.
    type Outcome = Feed;

    const NAME: &'static str = "restart_feed";

    fn needs(&self, needs: &mut Needs) {
        needs.row::<Feed>(&());
    }

    fn decide(&self, facts: &mut Facts) -> Result<Feed, CommandError> {
        let before = facts.get::<Feed>(&())?.copied().unwrap_or(Feed::EMPTY);
        let after = Feed { generation: next_generation(before, self.0), ..before };
        facts.put(after)?;
        let fields = |feed: Feed| json!({ "generation": feed.generation }).as_object().cloned();
        facts.note(|| ChangeNote::new("feed.restart", "tenant", fields(before), fields(after)));
        Ok(after)
    }
}

/// Begins a new generation: from now on every cursor of an earlier one is refused. Positions go on after the newest one of
/// the database. Returns where readers begin. Restarts at the same time take turns, and each begins a generation.
///
/// # Errors
/// When the store fails.
pub async fn restart_feed(context: &Context) -> StoreResult<Cursor> {
    let real_now = context.tenant.tenant.clock.to_real(context.now);
    Ok(context.write(RestartFeed(real_now)).await?.begin())
}

/// The time in seconds, so that two restores of one backup have different generations.
fn next_generation(before: Feed, now: Timestamp) -> u64 {
    let seconds = u64::try_from(now.as_micros() / 1_000_000).unwrap_or(0);
    seconds.max(before.generation + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_restores_of_one_backup_have_different_generations() {
        let next = |seconds: i64, generation| {
            let now = Timestamp::from_micros(seconds * 1_000_000).unwrap();
            next_generation(Feed { generation, ..Feed::EMPTY }, now)
        };
        assert_eq!([next(1_800_000_000, 1), next(1_800_000_007, 1)], [1_800_000_000, 1_800_000_007]);
        // A clock that went back never gives an earlier generation again.
        assert_eq!(next(1_700_000_000, 1_800_000_000), 1_800_000_001);
    }
}
