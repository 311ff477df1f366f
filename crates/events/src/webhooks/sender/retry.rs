use std::time::{Duration, UNIX_EPOCH};

/// A receiver may ask for a pause between these.
const RETRY_AFTER_MIN: Duration = Duration::from_secs(1);
const RETRY_AFTER_MAX: Duration = Duration::from_hours(1);

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
