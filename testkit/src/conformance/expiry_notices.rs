//! Facts of notices that points end soon.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use pointbook_domain::{Activity, EventType, Timestamp, UserId};
use pointbook_events::feed::{Event, EventData, EventFilter, read_events};
use pointbook_points::audit::ledger::audit_ledger;
use pointbook_points::earning::record_activities::RecordHistory;
use pointbook_points::members::notices::{ending_soon, tell_notices};
use pointbook_points::members::sweep::end_all;
use pointbook_store::ports::{Database, LedgerEntry};
use pointbook_store::{Context, StoreError, StoreResult};

use super::campaign_helpers::CampaignFixture;
use super::expiry_scene::{terms, time};
use crate::build::{activity, recorded};
use crate::faulty::{Fault, WriteFault};
use crate::{FaultyDatabase, HeldWrite};

/// One write of a scan looks at 1,000 of them.
const MEMBERS: usize = 1_200;

/// The points of 1,200 members end with 9 April 2024, and some points of the first one with 19 April.
async fn scene(database: &Arc<dyn Database>) -> CampaignFixture {
    let fixture = CampaignFixture::new(database).await;
    let terms = terms(&[("points_expire", "after:40-days:day")]);
    for (at, members) in [("2024-02-29T12:00:00Z", MEMBERS), ("2024-03-10T12:00:00Z", 1)] {
        let earned = Activity { created_at: time(at), ..activity(at, 10) };
        let rows = (0..members).map(|number| recorded(&format!("m{number:04}"), earned.clone())).collect();
        let history = RecordHistory::new(rows, time(at)).ending(terms.clone());
        fixture.data.write(history).await.unwrap();
    }
    fixture
}

fn noon(day: &str) -> Timestamp {
    time(&format!("{day}T12:00:00Z"))
}

async fn told(fixture: &CampaignFixture) -> Vec<Event> {
    let filter = EventFilter { types: vec![EventType::PointsExpiring], user_id: None };
    let (mut events, mut after) = (Vec::new(), None);
    loop {
        let page = read_events(&fixture.served, &filter, after, 1_000, Duration::ZERO).await.unwrap();
        let is_at_end = page.cursor == page.feed.end();
        after = Some(page.cursor);
        events.extend(page.events);
        if is_at_end {
            return events;
        }
    }
}

async fn tell(fixture: &CampaignFixture, day: &str) {
    let context: Context = fixture.context(noon(day));
    assert!(tell_notices(&context, noon(day).day()).await.unwrap());
}

/// How many of the events have this last day and this notice.
fn count(events: &[Event], last_day: &str, days: u32) -> usize {
    let is_it = |event: &&Event| {
        let EventData::EndNotice(_, notice) = &event.data else { panic!("{event:?}") };
        notice.last_day.to_string() == last_day && notice.notice_days == days && notice.points == 10
    };
    events.iter().filter(is_it).count()
}

pub async fn each_end_is_told_once_for_each_notice(database: Arc<dyn Database>) {
    let fixture = scene(&database).await;
    tell(&fixture, "2024-03-09").await;
    assert_eq!(told(&fixture).await.len(), 0);
    for _ in 0..2 {
        tell(&fixture, "2024-03-10").await;
        let events = told(&fixture).await;
        assert_eq!((events.len(), count(&events, "2024-04-09", 30)), (MEMBERS, MEMBERS));
    }
    let context: Context = fixture.context(noon("2024-03-10"));
    let soon = ending_soon(&context).await.unwrap();
    assert_eq!(soon, Some((12_000, noon("2024-03-10").day())));
    // The server was away for some days.
    tell(&fixture, "2024-04-03").await;
    let events = told(&fixture).await;
    let counts = [("2024-04-09", 7), ("2024-04-19", 30)].map(|(day, days)| count(&events, day, days));
    assert_eq!((events.len(), counts), (2 * MEMBERS + 1, [MEMBERS, 1]));
    tell(&fixture, "2024-04-08").await;
    // These points are over, and nobody has ended them yet.
    tell(&fixture, "2024-04-12").await;
    tell(&fixture, "2024-04-01").await;
    let events = told(&fixture).await;
    let counts = [("2024-04-09", 1), ("2024-04-19", 7)].map(|(day, days)| count(&events, day, days));
    assert_eq!((events.len(), counts), (3 * MEMBERS + 2, [MEMBERS, 1]));
}

/// Two processes scan at the same time. Later each write fails once before it reaches the database, and once after that.
pub async fn a_scan_that_stops_goes_on(database: Arc<dyn Database>) {
    let faulty = Arc::new(FaultyDatabase::healthy(database));
    let database: Arc<dyn Database> = faulty.clone();
    let fixture = scene(&database).await;
    tell(&fixture, "2024-03-09").await;
    let HeldWrite { begun, release } = faulty.hold_next_write();
    let overtake = async {
        begun.await.unwrap();
        tell(&fixture, "2024-03-10").await;
        release.send(()).unwrap();
    };
    tokio::join!(tell(&fixture, "2024-03-10"), overtake);
    assert_eq!(told(&fixture).await.len(), MEMBERS);
    let context: Context = fixture.context(noon("2024-04-02"));
    let failed = until_done(&faulty, async || tell_notices(&context, noon("2024-04-02").day()).await).await;
    let events = told(&fixture).await;
    assert_eq!((failed, events.len(), count(&events, "2024-04-09", 7)), (6, 2 * MEMBERS + 1, MEMBERS));
}

/// The same for the sweep: 100 members in each of its writes.
pub async fn a_sweep_that_stops_goes_on(database: Arc<dyn Database>) {
    let faulty = Arc::new(FaultyDatabase::healthy(database));
    let database: Arc<dyn Database> = faulty.clone();
    let fixture = scene(&database).await;
    let context: Context = fixture.context(noon("2024-04-10"));
    let failed = until_done(&faulty, async || Ok(end_all(&context).await?.next_at.is_some())).await;
    assert_eq!(failed, 24);
    let ended = entries(&fixture).await.into_iter().filter(|entry| entry.transaction.activity.is_expiry());
    let users: Vec<UserId> = ended.map(|entry| entry.user_id).collect();
    assert_eq!((users.len(), users.iter().collect::<BTreeSet<_>>().len()), (MEMBERS, MEMBERS));
    let mut differences = Vec::new();
    audit_ledger(&*fixture.data, |user| differences.extend(user.differences.clone())).await.unwrap();
    assert_eq!(differences, []);
}

/// Calls until it says that it is done. The first write of each call fails: with every second call after it reached the database. Returns how
/// many writes failed.
async fn until_done(faulty: &FaultyDatabase, call: impl AsyncFn() -> StoreResult<bool>) -> u32 {
    let mut failed = 0;
    for fault in [WriteFault::Before(Fault::Unavailable), WriteFault::AnswerLost].into_iter().cycle() {
        faulty.fail_next_write(Some(fault));
        match call().await {
            Ok(is_done) => {
                assert!(is_done);
                break;
            }
            Err(StoreError::Unavailable(_)) => failed += 1,
            Err(error) => panic!("{error}"),
        }
    }
    faulty.fail_next_write(None);
    failed
}

async fn entries(fixture: &CampaignFixture) -> Vec<LedgerEntry> {
    fixture.data.entries_after(None, 10_000).await.unwrap()
}
