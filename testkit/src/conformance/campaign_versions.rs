//! Facts of versions that take over while activities commit.

use std::sync::Arc;

use futures_util::future::join_all;
use pointbook_domain::Activity;
use pointbook_points::audit::ledger::audit_ledger;
use pointbook_points::earning::record_activity::record_activity;
use pointbook_store::ports::{Database, RecordActivityOutcome};
use serde_json::json;

use super::campaign_helpers::{CampaignFixture, asking, awards, spent};
use crate::build::{activity, at, noon, on_day};

const SECOND: i64 = 1_000_000;
/// Half of the activities happen before the new version takes over.
const ACTIVITIES: i64 = 60;

/// The time of each activity decides, not that of the commit that it shares with others.
pub async fn a_version_takes_over_while_a_group_commits(database: Arc<dyn Database>) {
    let fixture = CampaignFixture::new(&database).await;
    let version =
        |points: i64| json!({"reward": {"points": points}, "limits": {"budget": {"points": 1_000_000}}});
    fixture.start(&version(10)).await;
    fixture.put(&version(20), Some(at(ACTIVITIES / 2 * SECOND)), noon()).await;
    // The last one before the version is a microsecond before it.
    let last = ACTIVITIES / 2 - 1;
    let time = |number: i64| if number == last { at((last + 1) * SECOND - 1) } else { at(number * SECOND) };
    let writers = (0..ACTIVITIES).map(|number| {
        let context = fixture.context(at(ACTIVITIES * SECOND));
        let new = Activity { created_at: time(number), ..activity(&format!("s{number}"), 100) };
        let new = asking(&format!("u{}", number % 7), new);
        tokio::spawn(
            async move { record_activity(&context, new, true).await.unwrap().without_key().unwrap() },
        )
    });
    // One more version makes the processes read the campaigns again meanwhile.
    let third = version(30);
    let (outcomes, _) = tokio::join!(join_all(writers), fixture.put(&third, Some(on_day(1)), at(SECOND)));
    let stored = awards(&fixture.data).await;
    for (number, outcome) in (0_i64..).zip(outcomes) {
        let RecordActivityOutcome::Recorded(row) = outcome.unwrap() else { panic!("{number} is new") };
        let expected = if number < ACTIVITIES / 2 { (2, 10) } else { (3, 20) };
        let user = format!("u{}", number % 7);
        let award =
            stored.iter().find(|award| award.user_id.as_str() == user && award.seq == row.seq).unwrap();
        assert_eq!((award.version, award.points.get()), expected, "{number}");
        assert_eq!(row.transaction.activity.bonuses.total().get(), expected.1, "{number}");
    }
    assert_eq!(spent(&fixture.data).await, (ACTIVITIES, ACTIVITIES / 2 * 30));
    assert_eq!(audit_ledger(&*fixture.data, |_| {}).await.unwrap().differences, 0);
}
