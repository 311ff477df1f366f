//! Blocks of the feed that have no position yet, when a tenant moves between databases.

use pointbook_testkit::build::{self, activity, recorded};
use rusqlite::Connection;
use serde_json::Value;

use super::fixture::{CopyFixture, End, SOURCE};

/// Records one transaction of a user.
async fn record(fixture: &CopyFixture, end: &End, source_id: &str) {
    let data = end.tenant(&fixture.folder, "acme").await;
    data.write(build::history([recorded("mover", activity(source_id, 5))])).await.unwrap();
}

/// The sources of the user's transactions in the order of the feed. Gives all blocks their positions.
fn read(fixture: &CopyFixture, end: &End) -> Vec<String> {
    let line = "events tail --once --tenant acme --user mover --types transaction.recorded";
    let lines = fixture.run(end, line).expect_code(0).stdout;
    let event = |line: &str| serde_json::from_str::<Value>(line).unwrap();
    lines.lines().map(|line| event(line)["data"]["source_id"].as_str().unwrap().to_owned()).collect()
}

/// The numbers of new blocks on a PostgreSQL server begin at 1, and those of copied blocks are greater.
#[tokio::test]
async fn blocks_without_positions_keep_their_order_there_and_back() {
    for fixture in CopyFixture::all().await {
        for number in 1..=30 {
            record(&fixture, &SOURCE, &format!("before-{number:02}")).await;
        }
        fixture.copy().expect_code(0);
        for number in 1..=3 {
            record(&fixture, &fixture.target, &format!("between-{number}")).await;
        }
        let back = End::File("third.db");
        let line = format!("copy --from {} --to {}", fixture.target.url(), back.url());
        fixture.folder.run(&line).expect_code(0);
        let file = Connection::open(fixture.folder.path("third.db")).unwrap();
        let sql = "SELECT count(*) FROM feed_blocks WHERE tenant_id = 'acme' AND last_position IS NULL";
        let without: i64 = file.query_one(sql, [], |row| row.get(0)).unwrap();
        assert!(without >= 33, "no reader has given positions, here or there: {without}");
        drop(file);
        record(&fixture, &back, "after").await;
        record(&fixture, &fixture.target, "after").await;
        let before = (1..=30).map(|number| format!("before-{number:02}"));
        let between = (1..=3).map(|number| format!("between-{number}"));
        let expected: Vec<_> = before.chain(between).chain(["after".to_owned()]).collect();
        assert_eq!(read(&fixture, &fixture.target), expected);
        assert_eq!(read(&fixture, &back), expected);
    }
}
