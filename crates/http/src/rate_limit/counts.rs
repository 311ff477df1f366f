//! Counts the requests of each user in the current minute.
//!
//! The process looks up a user's counts when the store authenticates a token, and keeps them beside the cached principal. So a
//! request only adds to a number. All tokens of a user share the counts.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use pointbook_domain::{Timestamp, UserId};

/// How many users of one tenant have counts at a time. Beyond that, each token counts alone.
const MAX_USERS: usize = 200_000;
/// From this many users on, the process removes the counts of earlier minutes, once a minute.
const MIN_USERS_TO_SWEEP: usize = 1_024;

const MICROS_PER_MINUTE: i64 = 60_000_000;

/// The requests of one user in the current minute of the clock.
#[derive(Debug, Default)]
pub struct RequestCounts {
    /// Requests that only read.
    pub reads: MinuteCount,
    /// Requests that change something.
    pub writes: MinuteCount,
}

impl RequestCounts {
    fn is_of(&self, minute: u32) -> bool {
        self.reads.is_of(minute) || self.writes.is_of(minute)
    }
}

/// A number that begins at 0 in each minute of the clock. The upper half is the minute since the epoch, the lower half
/// the number.
#[derive(Debug, Default)]
pub struct MinuteCount(AtomicU64);

impl MinuteCount {
    /// Counts a request that began at `now`, and returns the number of requests in its minute, this one included.
    pub fn add(&self, now: Timestamp) -> u32 {
        let minute = minute_of(now);
        let before =
            self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |before| Some(next(before, minute)));
        halves(next(before.unwrap_or_else(|unchanged| unchanged), minute)).1
    }

    fn is_of(&self, minute: u32) -> bool {
        halves(self.0.load(Ordering::Relaxed)).0 == minute
    }
}

/// A request of the minute before counts in the newer minute. Otherwise slow requests across two minutes would set the number
/// back. A number from the future means that the clock was set back.
fn next(before: u64, minute: u32) -> u64 {
    let (counted_minute, count) = halves(before);
    match counted_minute.wrapping_sub(minute) {
        0 | 1 => packed(counted_minute, count.saturating_add(1)),
        _ => packed(minute, 1),
    }
}

/// The minute since the epoch, without its upper bits: the comparison needs only close minutes.
fn minute_of(now: Timestamp) -> u32 {
    halves(now.as_micros().div_euclid(MICROS_PER_MINUTE).cast_unsigned()).1
}

fn packed(minute: u32, count: u32) -> u64 {
    u64::from(minute) << u32::BITS | u64::from(count)
}

fn halves(packed: u64) -> (u32, u32) {
    let half = |bits: u64| u32::try_from(bits & u64::from(u32::MAX)).unwrap_or(u32::MAX);
    (half(packed >> u32::BITS), half(packed))
}

/// The counts of a tenant's users. Counts leave only when their minute is over and no cached principal holds them. So a client
/// cannot get new counts by pushing its own out.
#[derive(Debug, Default)]
pub struct UserRequestCounts(Mutex<Users>);

#[derive(Debug, Default)]
struct Users {
    counts: HashMap<UserId, Arc<RequestCounts>>,
    swept_minute: u32,
}

impl UserRequestCounts {
    pub fn of(&self, user: &UserId, now: Timestamp) -> Arc<RequestCounts> {
        let mut users = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = users.counts.get(user) {
            return known.clone();
        }
        users.sweep(minute_of(now));
        let new = Arc::<RequestCounts>::default();
        if users.counts.len() < MAX_USERS {
            users.counts.insert(user.clone(), new.clone());
        }
        new
    }
}

impl Users {
    fn sweep(&mut self, minute: u32) {
        if self.swept_minute == minute || self.counts.len() < MIN_USERS_TO_SWEEP {
            return;
        }
        self.swept_minute = minute;
        self.counts.retain(|_, counts| Arc::strong_count(counts) > 1 || counts.is_of(minute));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_micros((600 + seconds) * 1_000_000).unwrap()
    }

    fn user(number: usize) -> UserId {
        UserId::new(format!("u{number}")).unwrap()
    }

    #[test]
    fn a_count_begins_again_with_each_minute() {
        let count = MinuteCount::default();
        assert_eq!([0, 59, 60, 61, 300].map(|seconds| count.add(at(seconds))), [1, 2, 1, 2, 1]);
    }

    #[test]
    fn a_request_of_the_minute_before_does_not_set_the_count_back() {
        let count = MinuteCount::default();
        assert_eq!([59, 60, 59, 60].map(|seconds| count.add(at(seconds))), [1, 1, 2, 3]);
    }

    #[test]
    fn a_clock_that_was_set_back_counts_from_its_own_time() {
        let count = MinuteCount::default();
        assert_eq!([600, 0, 1].map(|seconds| count.add(at(seconds))), [1, 1, 2]);
    }

    #[test]
    fn a_count_that_is_full_stays_full() {
        let minute = minute_of(at(0));
        let count = MinuteCount(AtomicU64::new(packed(minute, u32::MAX)));
        assert_eq!(count.add(at(1)), u32::MAX);
        assert!(count.is_of(minute));
    }

    #[test]
    fn requests_at_once_are_all_counted() {
        let count = MinuteCount::default();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| assert!((0..1_000).all(|_| count.add(at(0)) > 0)));
            }
        });
        assert_eq!(count.add(at(0)), 4_001);
    }

    #[test]
    fn a_user_has_the_same_counts_each_time() {
        let users = UserRequestCounts::default();
        users.of(&user(1), at(0)).writes.add(at(0));
        assert_eq!(users.of(&user(1), at(0)).writes.add(at(0)), 2);
        assert_eq!(users.of(&user(2), at(0)).writes.add(at(0)), 1);
    }

    #[test]
    fn many_users_push_out_no_counts_of_this_minute() {
        let users = UserRequestCounts::default();
        let held = users.of(&user(0), at(0));
        users.of(&user(1), at(60)).reads.add(at(60));
        for number in 2..MIN_USERS_TO_SWEEP * 2 {
            users.of(&user(number), at(60));
        }
        assert!(Arc::ptr_eq(&held, &users.of(&user(0), at(60))), "a cached principal holds them");
        assert_eq!(users.of(&user(1), at(61)).reads.add(at(61)), 2);
        assert!(users.0.lock().unwrap().counts.len() < MIN_USERS_TO_SWEEP + 10, "idle ones leave");
    }

    #[test]
    fn users_beyond_the_bound_are_counted_without_being_kept() {
        let users = UserRequestCounts::default();
        let held: Vec<_> = (0..MAX_USERS).map(|number| users.of(&user(number), at(0))).collect();
        let further = users.of(&user(MAX_USERS), at(60));
        assert_eq!(users.0.lock().unwrap().counts.len(), held.len());
        assert_eq!(further.reads.add(at(60)), 1);
    }
}
