//! Tests of what attempts change.

use std::time::Duration;

use pointbook_domain::{WebhookAttempt, WebhookProgress};
use pointbook_testkit::build::{at, attempt, blocked, noon, webhook};

use super::super::progress::{fail, kept_attempt, newest_of_slots, succeed};
use crate::webhooks::sender::{Attempt, ErrorClass, Outcome};

const DELIVERED: Attempt = Attempt {
    status: Some(204),
    duration: Duration::from_millis(12),
    error: None,
    outcome: Outcome::Delivered,
};
const REFUSED: Attempt = Attempt {
    status: Some(500),
    duration: Duration::from_millis(34),
    error: Some(ErrorClass::Status),
    outcome: Outcome::Failed,
};

fn fresh() -> WebhookProgress {
    WebhookProgress::begin(&webhook("wh_1"), None)
}

#[test]
fn an_attempt_is_kept_in_full() {
    let mut progress = fresh();
    let kept = kept_attempt(&mut progress, 7, noon(), &REFUSED);
    let expected = WebhookAttempt {
        duration_ms: 34,
        position: 7,
        status: Some(500),
        ..attempt(&webhook("wh_1"), 1_001)
    };
    assert_eq!(kept, expected);
    let kept = kept_attempt(&mut progress, 8, at(1), &DELIVERED);
    assert_eq!((kept.slot, kept.at, kept.status, kept.error), (1, at(1), Some(204), None));
    let lost = Attempt { status: None, error: Some(ErrorClass::Connect), ..REFUSED };
    let kept = kept_attempt(&mut progress, 8, noon(), &lost);
    assert_eq!((kept.status, kept.error.as_deref()), (None, Some("connect")));
    assert_eq!((progress.delivered_count, progress.failed_count), (1, 2));
}

/// Each kind has its own ring, so that successes push out no failure.
#[test]
fn the_thousandth_next_attempt_of_a_kind_takes_the_slot() {
    let mut progress = fresh();
    let mut slots = |attempt: Attempt, count: u32| -> Vec<u32> {
        (0..count).map(|_| kept_attempt(&mut progress, 1, noon(), &attempt).slot).collect()
    };
    let delivered = slots(DELIVERED, 2_500);
    let refused = slots(REFUSED, 2_500);
    let ring = |first: u32| (1..=2_500).map(move |number| first + number % 1_000).collect::<Vec<_>>();
    assert_eq!(delivered, ring(0));
    assert_eq!(refused, ring(1_000));
}

#[test]
fn one_write_has_each_slot_once() {
    let same = |slot: u32, position: u64| WebhookAttempt { position, ..attempt(&webhook("wh_1"), slot) };
    let attempts = [same(2, 1), same(1, 2), same(2, 3)];
    let kept: Vec<_> = newest_of_slots(&attempts).cloned().collect();
    assert_eq!(kept, [same(1, 2), same(2, 3)]);
}

#[test]
fn a_success_ends_the_failures() {
    let mut progress = WebhookProgress { failures: 9, delivered_count: 4, ..blocked(&webhook("wh_1"), 3) };
    succeed(&mut progress);
    let expected = WebhookProgress { position: 2, delivered_count: 4, failed_count: 1, ..fresh() };
    assert_eq!(progress, expected);
}

/// The failures count from the first one on. Each pause is longer than the one before.
#[test]
fn failures_in_a_row_wait_longer_and_longer() {
    let (mut progress, middle) = (fresh(), u32::MAX / 2);
    for (number, seconds) in [4, 299, 1_799, 7_199].into_iter().enumerate() {
        let now = noon().plus_seconds(u32::try_from(number).unwrap());
        fail(&mut progress, 5, Outcome::Failed, now, middle);
        let pause = (progress.retry_at.unwrap().as_micros() - now.as_micros()) / 1_000_000;
        assert!((seconds..=seconds + 1).contains(&pause), "{number}: {pause}");
        assert_eq!(progress.failures as usize, number + 1);
        assert_eq!((progress.failing_since, progress.failed_position), (Some(noon()), Some(5)));
    }
    assert_eq!(progress.position, fresh().position);
    progress.failures = u32::MAX;
    fail(&mut progress, 6, Outcome::Failed, noon(), middle);
    assert_eq!((progress.failures, progress.failed_position), (u32::MAX, Some(6)));
}

#[test]
fn a_receiver_chooses_its_pause() {
    for (asked, expected) in [(1, 1), (90, 90), (3_600, 3_600)] {
        let mut progress = WebhookProgress { failures: 3, ..fresh() };
        let outcome = Outcome::Retry { after: Duration::from_secs(asked) };
        fail(&mut progress, 1, outcome, noon(), 0);
        assert_eq!(progress.retry_at, Some(noon().plus_seconds(expected)), "{asked}");
    }
}
