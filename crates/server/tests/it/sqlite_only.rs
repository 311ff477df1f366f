//! What is so on a file of SQLite alone: there one thread writes for everybody, and the places before it
//! are counted. A server decides by itself who waits; what holds there too stands in `suite::races`.

use serde_json::json;
use tokio::task::JoinSet;

use crate::suite::races;

/// 256 wait and as many are with the writer; the others are told at once, and told when to come again.
#[tokio::test(flavor = "multi_thread")]
async fn of_600_writes_that_wait_88_are_refused_at_once() {
    let server = races::server().await;
    let back_office = server.issue_super_user().await;
    let activity = |user: &str, place: u32| {
        let scan = json!({"type": "code", "source_id": format!("c-{place}"), "points": 1, "title": "Scan"});
        server.post(&format!("/v1/manage/users/{user}/activities"), &back_office).json(&scan)
    };
    let lock = server.lock().await;
    let mut running = JoinSet::new();
    for place in 0..600 {
        running.spawn(activity("u1", place).send());
    }
    for _ in 0..600 - 2 * 256 {
        let refused = running.join_next().await.unwrap().unwrap();
        assert_eq!((refused.status.as_u16(), refused.header("retry-after")), (503, Some("1")));
    }
    let other = tokio::spawn(activity("u2", 0).send());
    drop(lock);
    assert_eq!(other.await.unwrap().status, 201);
    let recorded = running.join_all().await.iter().filter(|answer| answer.status == 201).count();
    assert!(recorded >= 256, "{recorded}");
}
