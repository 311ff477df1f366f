//! Tests of the order of requests.

use std::collections::HashMap;
use std::hash::RandomState;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use pointbook_domain::{ClockOffset, EventType, Webhook};
use pointbook_testkit::build::{noon, user_id, webhook};
use pointbook_testkit::{FixedClock, Receiver};
use tokio::sync::Notify;
use tokio::time::Instant;

use super::super::Ahead;
use super::super::batch::Batch;
use super::super::lanes::{Lanes, lane_of};
use super::fixture::outbox;
use crate::feed::{Event, EventData};
use crate::webhooks::stop::Stop;

const OK: &str = "200 OK";
const BROKEN: &str = "500 Broken";

/// Events about these users, with positions from 1 on.
fn events<'u>(users: impl IntoIterator<Item = &'u str>) -> Vec<Event> {
    let event = |(position, user)| Event {
        generation: 1,
        position,
        kind: EventType::UserCreated,
        at: noon(),
        data: EventData::User(user_id(user)),
    };
    (1..).zip(users).map(event).collect()
}

async fn send(receiver: &Receiver, lanes: u32, events: &[Event], hash: &RandomState) -> Batch {
    let webhook = Webhook { url: receiver.url(), lanes, ..webhook("wh_1") };
    let (outbox, clock) = (outbox(), FixedClock::new(noon()));
    let (until, stop, offset) = (Instant::now() + Duration::from_mins(5), Stop::default(), ClockOffset::NONE);
    let lanes = Lanes { outbox: &outbox, webhook: &webhook, clock: &clock, offset, hash, until, stop: &stop };
    lanes.send(events, &Ahead::default()).await
}

/// Of two lanes.
pub(super) fn lane_of_user(user: &str, hash: &RandomState) -> usize {
    lane_of(&events([user])[0], hash, 2)
}

/// A user in each of two lanes.
fn users_of_both_lanes(hash: &RandomState) -> [String; 2] {
    [0, 1].map(|lane| {
        let mut users = (0..).map(|number| format!("u{number}"));
        users.find(|user| lane_of_user(user, hash) == lane).unwrap()
    })
}

fn indices(batch: &Batch) -> Vec<usize> {
    batch.attempts.iter().map(|sent| sent.index).collect()
}

/// A receiver never has two events of one user at a time.
#[tokio::test]
async fn events_of_a_user_come_one_after_the_other() {
    let users: Vec<String> = (0..60).map(|number| format!("u{}", number * number % 7)).collect();
    let events = events(users.iter().map(String::as_str));
    let user_of: HashMap<String, String> = events
        .iter()
        .zip(&users)
        .map(|(event, user)| (format!("evt_1_{}", event.position), user.clone()))
        .collect();
    let user_of = Arc::new(user_of);
    let (present, known) = (Arc::<Mutex<Vec<String>>>::default(), user_of.clone());
    let receiver = Receiver::start(move |id| {
        let (present, user) = (present.clone(), known[&id].clone());
        async move {
            assert!(!present.lock().unwrap().contains(&user), "{user}");
            present.lock().unwrap().push(user.clone());
            for _ in 0..20 {
                tokio::task::yield_now().await;
            }
            present.lock().unwrap().retain(|other| *other != user);
            OK
        }
    })
    .await;
    let batch = send(&receiver, 8, &events, &RandomState::new()).await;
    assert_eq!((batch.delivered, batch.attempts.len()), (60, 60));
    assert!(batch.failure().is_none());
    for user in &users {
        let of_user = |id: &String| user_of[id] == *user;
        let arrived: Vec<_> = receiver.ids().into_iter().filter(of_user).collect();
        let expected = events.iter().map(|event| format!("evt_1_{}", event.position)).filter(of_user);
        assert_eq!(arrived, expected.collect::<Vec<_>>());
    }
}

/// The fourth event fails while the first one is sent in another lane. Then that lane sends the events before the fourth, and
/// none after it.
#[tokio::test]
async fn other_lanes_go_on_up_to_a_failure() {
    let hash = RandomState::new();
    let [failing, other] = users_of_both_lanes(&hash);
    let users = [&other, &other, &other, &failing, &other, &other, &failing].map(String::as_str);
    let failed = Arc::new(Notify::new());
    let receiver = Receiver::start(move |id| {
        let failed = failed.clone();
        async move {
            if id == "evt_1_4" {
                failed.notify_one();
                return BROKEN;
            }
            if id == "evt_1_1" {
                failed.notified().await;
            }
            OK
        }
    })
    .await;
    let batch = send(&receiver, 2, &events(users), &hash).await;
    assert_eq!(batch.delivered, 3);
    let mut sent = indices(&batch);
    sent.sort_unstable();
    assert_eq!(sent, [0, 1, 2, 3]);
    assert_eq!(batch.failure().unwrap().0, 3);
}

/// A later failure came first. What counts is the first event that was not delivered.
#[tokio::test]
async fn the_earliest_of_two_failures_counts() {
    let hash = RandomState::new();
    let [early, late] = users_of_both_lanes(&hash);
    let users = [&early, &early, &late].map(String::as_str);
    let failed = Arc::new(Notify::new());
    let receiver = Receiver::start(move |id| {
        let failed = failed.clone();
        async move {
            match id.as_str() {
                "evt_1_1" => OK,
                "evt_1_2" => {
                    failed.notified().await;
                    "410 Gone"
                }
                _ => {
                    failed.notify_one();
                    BROKEN
                }
            }
        }
    })
    .await;
    let batch = send(&receiver, 2, &events(users), &hash).await;
    assert_eq!((batch.delivered, batch.attempts.len()), (1, 3));
    assert_eq!(batch.failure().unwrap().1.status, Some(410));
}

#[tokio::test]
async fn no_event_is_begun_after_the_time_or_the_stop() {
    let receiver = Receiver::responding(&[OK]).await;
    let webhook = Webhook { url: receiver.url(), lanes: 2, ..webhook("wh_1") };
    let (outbox, clock, hash) = (outbox(), FixedClock::new(noon()), RandomState::new());
    let (stopped, offset) = (Stop::default(), ClockOffset::NONE);
    stopped.begin(Duration::from_mins(1));
    let later = Instant::now() + Duration::from_mins(1);
    for (until, stop) in [(Instant::now(), &Stop::default()), (later, &stopped)] {
        let lanes =
            Lanes { outbox: &outbox, webhook: &webhook, clock: &clock, offset, hash: &hash, until, stop };
        let batch = lanes.send(&events(["a", "b", "c"]), &Ahead::default()).await;
        assert_eq!((batch.delivered, batch.attempts.len()), (0, 0));
        assert!(batch.failure().is_none());
    }
    assert_eq!(receiver.ids(), Vec::<String>::new());
}

/// Events without a user keep their order too.
#[test]
fn a_user_has_one_lane() {
    let hash = RandomState::new();
    let of = |event: &Event| lane_of(event, &hash, 8);
    let users: Vec<String> = (0..200).map(|number| format!("u{number}")).collect();
    let events = events(users.iter().map(String::as_str));
    let lanes: std::collections::BTreeSet<_> = events.iter().map(of).collect();
    assert_eq!(lanes, (0..8).collect(), "200 users are in all lanes");
    let order = EventData::Order { user_id: user_id("u5"), order_id: "o-1".to_owned() };
    assert_eq!(of(&Event { data: order, ..events[0].clone() }), of(&events[5]));
    for data in
        [EventData::Product("mug".to_owned()), EventData::Webhook("wh_1".to_owned()), EventData::Nothing]
    {
        assert_eq!(of(&Event { data, ..events[0].clone() }), 0);
    }
}
