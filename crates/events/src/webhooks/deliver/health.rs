//! The states that follow from failures.

use std::time::Duration;

use pointbook_domain::{DisabledBecause, Timestamp, WebhookState};

const FAILING_AFTER: Duration = Duration::from_hours(1);
const DISABLED_AFTER: Duration = Duration::from_hours(5 * 24);

/// The state of an enabled webhook whose attempts have failed since this time, and `None` after a success. A time after `now`, as
/// another instance's clock may give, is no failure yet.
pub(crate) fn state_of(
    failing_since: Option<Timestamp>,
    now: Timestamp,
) -> (WebhookState, Option<DisabledBecause>) {
    match failing_since.map_or(Duration::ZERO, |since| between(since, now)) {
        long if long >= DISABLED_AFTER => (WebhookState::Disabled, Some(DisabledBecause::Failures)),
        long if long >= FAILING_AFTER => (WebhookState::Failing, None),
        _ => (WebhookState::Active, None),
    }
}

/// How long until [`state_of`] gives another state without any attempt.
pub(crate) fn next_change_in(failing_since: Option<Timestamp>, now: Timestamp) -> Option<Duration> {
    let failing_for = between(failing_since?, now);
    [FAILING_AFTER, DISABLED_AFTER].into_iter().find_map(|after| {
        let left = after.checked_sub(failing_for)?;
        (!left.is_zero()).then_some(left)
    })
}

/// Zero when the end is before the beginning.
fn between(begin: Timestamp, end: Timestamp) -> Duration {
    let micros = end.as_micros().saturating_sub(begin.as_micros());
    Duration::from_micros(u64::try_from(micros).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use pointbook_testkit::build::noon;

    use super::*;

    #[test]
    fn the_state_changes_after_an_hour_and_after_five_days() {
        for (seconds, expected, left) in [
            (0, WebhookState::Active, Some(3_600)),
            (3_599, WebhookState::Active, Some(1)),
            (3_600, WebhookState::Failing, Some(428_400)),
            (431_999, WebhookState::Failing, Some(1)),
            (432_000, WebhookState::Disabled, None),
        ] {
            let now = noon().plus_seconds(seconds);
            assert_eq!(state_of(Some(noon()), now).0, expected, "{seconds}");
            assert_eq!(next_change_in(Some(noon()), now).map(|left| left.as_secs()), left, "{seconds}");
        }
        assert_eq!(state_of(None, noon()).0, WebhookState::Active);
        assert_eq!(next_change_in(None, noon()), None);
        assert_eq!(state_of(Some(noon().plus_seconds(100)), noon()).0, WebhookState::Active);
    }
}
