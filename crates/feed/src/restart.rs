//! Begins a new generation of the feed, after the database was restored.

use pointbook_domain::{Cursor, Feed, Timestamp};

use crate::feed;
use pointbook_app::commands::{Command, CommandError, Facts, FeedRestart, Needs};
use pointbook_app::{Context, StoreResult};

/// Begins a generation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RestartFeed(pub FeedRestart);

impl Command for RestartFeed {
    type Outcome = ();

    const NAME: &'static str = "restart_feed";

    fn needs(&self, _: &mut Needs) {}

    fn decide(&self, facts: &mut Facts) -> Result<(), CommandError> {
        facts.restart_feed(self.0);
        Ok(())
    }
}

/// Begins a new generation: from now on every cursor of an earlier one is refused. Positions go on after the newest one of
/// the database. Returns where readers begin.
///
/// # Errors
/// When the store fails, or another process begins a generation at the same time.
pub async fn restart_feed(context: &Context) -> StoreResult<Cursor> {
    let before = feed(&*context.tenant.data).await?;
    let real_now = context.tenant.tenant.clock.to_real(context.now);
    let (from_generation, to_generation) = (before.generation, next_generation(before, real_now));
    context.write(RestartFeed(FeedRestart { from_generation, to_generation })).await?;
    Ok(Feed { generation: to_generation, ..before }.begin())
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
