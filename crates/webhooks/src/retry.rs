use std::time::{Duration, UNIX_EPOCH};

/// The pauses after the first, second, ... failure in a row. The last one repeats.
const PAUSES: [Duration; 6] = [
    Duration::from_secs(5),
    Duration::from_mins(5),
    Duration::from_mins(30),
    Duration::from_hours(2),
    Duration::from_hours(5),
    Duration::from_hours(10),
];

/// A receiver may ask for a pause between these.
const RETRY_AFTER_MIN: Duration = Duration::from_secs(1);
const RETRY_AFTER_MAX: Duration = Duration::from_hours(1);

/// Jitter takes away or adds at most this many per cent.
const JITTER_PERCENT: u32 = 20;

/// How long to wait before the next attempt. `failures` counts the failures in a row, including the last. `random` is a random
/// number: jitter changes the pause by up to 20 %, so that endpoints that failed together do not retry together. A pause that the
/// receiver asked for (`Retry` of [`crate::Outcome`]) is used without jitter.
#[must_use]
pub fn retry_delay(failures: u32, random: u32, retry_after: Option<Duration>) -> Duration {
    if let Some(asked) = retry_after {
        return asked.clamp(RETRY_AFTER_MIN, RETRY_AFTER_MAX);
    }
    let [.., last] = PAUSES;
    let index = usize::try_from(failures.saturating_sub(1)).unwrap_or(usize::MAX);
    let pause = PAUSES.get(index).copied().unwrap_or(last);
    let jitter_max = pause * JITTER_PERCENT / 100;
    let share = |whole: Duration| whole.mul_f64(f64::from(random) / f64::from(u32::MAX));
    pause.saturating_sub(jitter_max) + share(jitter_max * 2)
}

/// Reads `Retry-After`: seconds, or an HTTP date of which `now_seconds` is subtracted. Returns at most an hour.
pub(crate) fn retry_after(value: &str, now_seconds: i64) -> Option<Duration> {
    let value = value.trim();
    let is_number = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
    let asked = if is_number {
        Duration::from_secs(value.parse().unwrap_or(u64::MAX))
    } else {
        let date = httpdate::parse_http_date(value).ok()?.duration_since(UNIX_EPOCH).ok()?;
        date.saturating_sub(Duration::from_secs(u64::try_from(now_seconds).unwrap_or(0)))
    };
    Some(asked.clamp(RETRY_AFTER_MIN, RETRY_AFTER_MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIDDLE: u32 = u32::MAX / 2;

    fn rounded_seconds(failures: u32, random: u32) -> u64 {
        (retry_delay(failures, random, None) + Duration::from_millis(500)).as_secs()
    }

    #[test]
    fn pauses_grow_to_ten_hours() {
        let found = [0, 1, 2, 3, 4, 5, 6, 7, u32::MAX].map(|failures| rounded_seconds(failures, MIDDLE));
        assert_eq!(found, [5, 5, 300, 1_800, 7_200, 18_000, 36_000, 36_000, 36_000]);
    }

    #[test]
    fn jitter_is_a_fifth_in_both_directions() {
        let found = [0, MIDDLE, u32::MAX].map(|random| rounded_seconds(2, random));
        assert_eq!(found, [240, 300, 360]);
    }

    #[test]
    fn pause_that_the_receiver_asks_for_is_obeyed_up_to_an_hour() {
        let asked = |seconds| retry_delay(6, 0, Some(Duration::from_secs(seconds))).as_secs();
        assert_eq!([0, 1, 90, 3_600, 3_601, u64::MAX].map(asked), [1, 1, 90, 3_600, 3_600, 3_600]);
    }

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        let seconds = |value: &str| retry_after(value, 784_111_777).map(|found| found.as_secs());
        assert_eq!(seconds("120"), Some(120));
        assert_eq!(seconds(" 0 "), Some(1));
        assert_eq!(seconds("99999999999999999999999"), Some(3_600));
        // One of the examples of RFC 9110, 784111777 in Unix seconds, and a minute later in its three forms.
        assert_eq!(seconds("Sun, 06 Nov 1994 08:49:37 GMT"), Some(1));
        assert_eq!(seconds("Sun, 06 Nov 1994 08:50:37 GMT"), Some(60));
        assert_eq!(seconds("Sunday, 06-Nov-94 08:50:37 GMT"), Some(60));
        assert_eq!(seconds("Sun Nov  6 08:50:37 1994"), Some(60));
        assert_eq!(seconds("Sat, 06 Nov 2094 08:49:37 GMT"), Some(3_600));
        for value in ["", "-1", "1.5", "soon", "+5"] {
            assert_eq!(seconds(value), None, "{value}");
        }
    }
}
