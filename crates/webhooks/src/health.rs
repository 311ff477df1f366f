use std::time::Duration;

const FAILING_AFTER: Duration = Duration::from_hours(1);
const DISABLED_AFTER: Duration = Duration::from_hours(5 * 24);

/// What the failures of an endpoint amount to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Health {
    Healthy,
    /// Each attempt has failed for at least an hour.
    Failing,
    /// Each attempt has failed for at least five days. No more are made until an operator enables the endpoint.
    Disabled,
}

/// Both times are Unix seconds. `failing_since` is the first failure since the last success, and `None` after a success. A time
/// after `now`, as another instance's clock may give, is healthy.
#[must_use]
pub fn health(failing_since: Option<i64>, now: i64) -> Health {
    let seconds = failing_since.map_or(0, |since| now.saturating_sub(since));
    let failing_for = Duration::from_secs(u64::try_from(seconds).unwrap_or(0));
    match failing_for {
        long if long >= DISABLED_AFTER => Health::Disabled,
        long if long >= FAILING_AFTER => Health::Failing,
        _ => Health::Healthy,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn health_changes_after_an_hour_and_after_five_days() {
        let now = 1_700_000_000;
        for (seconds, expected) in [
            (-100, Health::Healthy),
            (0, Health::Healthy),
            (3_599, Health::Healthy),
            (3_600, Health::Failing),
            (431_999, Health::Failing),
            (432_000, Health::Disabled),
        ] {
            assert_eq!(health(Some(now - seconds), now), expected, "{seconds}");
        }
        assert_eq!(health(None, now), Health::Healthy);
        assert_eq!(health(Some(i64::MIN), i64::MAX), Health::Disabled);
    }
}
