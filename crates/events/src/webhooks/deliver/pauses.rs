//! The pauses after failures.

use std::time::Duration;

/// The pauses after the first, second, ... failure in a row. The last one repeats.
const PAUSES: [Duration; 6] = [
    Duration::from_secs(5),
    Duration::from_mins(5),
    Duration::from_mins(30),
    Duration::from_hours(2),
    Duration::from_hours(5),
    Duration::from_hours(10),
];

/// Jitter takes away or adds at most this many per cent.
const JITTER_PERCENT: u32 = 20;

/// How long to wait before the next attempt. `failures` counts the failures in a row, including the last. `random` is a random
/// number: jitter changes the pause by up to 20 %, so that endpoints that failed together do not retry together. A pause that the
/// receiver asked for is used without jitter.
pub(super) fn retry_delay(failures: u32, random: u32, asked: Option<Duration>) -> Duration {
    if let Some(asked) = asked {
        return asked;
    }
    let [.., last] = PAUSES;
    let index = usize::try_from(failures.saturating_sub(1)).unwrap_or(usize::MAX);
    let pause = PAUSES.get(index).copied().unwrap_or(last);
    let jitter_max = pause * JITTER_PERCENT / 100;
    let share = |whole: Duration| whole.mul_f64(f64::from(random) / f64::from(u32::MAX));
    pause.saturating_sub(jitter_max) + share(jitter_max * 2)
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
}
