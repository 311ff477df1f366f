//! The blocks of the feed that jobs of one commit make.

use std::sync::Arc;

use pointbook_domain::{EventType, FeedEntry, Timestamp};
use rusqlite::Connection;

use super::fixture::{WriterFixture, all_done, done, insert};
use crate::feed::NewBlock;
use crate::sqlite::error::StoreFailure;
use crate::sqlite::writer::SharedCommit;

/// Adds a block with one entry, as a job does.
fn add(commit: &SharedCommit<'_>, tenant: &str, id: u32, at_micros: i64) {
    let kind = EventType::ProductChanged;
    let entry = FeedEntry { kind, user_id: None, id: Some(format!("p{id}")), row: None };
    let at = Timestamp::from_micros(at_micros).unwrap();
    let block = NewBlock { id: id.to_string(), at, entries: vec![entry] };
    commit.blocks().borrow_mut().push((Arc::from(tenant), block));
}

/// The tenant, the time and the entries of each block, in their order.
fn stored(fixture: &WriterFixture) -> Vec<(String, i64, String)> {
    let reader = Connection::open(fixture.path()).unwrap();
    let mut select = reader
        .prepare("SELECT tenant_id, created_at, entries FROM feed_blocks ORDER BY tenant_id, ordinal")
        .unwrap();
    let row = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
    select.query_map([], row).unwrap().map(Result::unwrap).collect()
}

fn entries(ids: &[&str]) -> String {
    let entry = |id: &&str| format!(r#"["product.changed",null,"{id}",null]"#);
    format!("[{}]", ids.iter().map(entry).collect::<Vec<_>>().join(","))
}

#[test]
fn jobs_of_one_commit_make_one_block_of_a_tenant() {
    let fixture = WriterFixture::new();
    let hold = fixture.hold();
    let jobs = [("acme", 1, 0), ("other", 2, 5), ("acme", 3, 100_000), ("acme", 4, 100_001)];
    let answers = jobs.map(|(tenant, id, at)| {
        fixture.submit(move |commit| {
            add(commit, tenant, id, at);
            Ok(())
        })
    });
    hold.release();
    all_done(answers.into());
    let expected = [
        ("acme".to_owned(), 0, entries(&["p1", "p3"])),
        // A block has one time, that of its first change. So a change that is too far from it begins another block.
        ("acme".to_owned(), 100_001, entries(&["p4"])),
        ("other".to_owned(), 5, entries(&["p2"])),
    ];
    assert_eq!(stored(&fixture), expected);
}

#[test]
fn job_that_fails_leaves_no_event() {
    let fixture = WriterFixture::new();
    let hold = fixture.hold();
    let job = |id: u32, number: i64| {
        fixture.submit(move |commit| {
            add(commit, "acme", id, 0);
            insert(commit, number)
        })
    };
    let (before, failing, after) = (job(1, 1), job(2, 1), job(3, 3));
    hold.release();
    done(before).unwrap();
    assert!(matches!(done(failing), Err(StoreFailure::Sqlite(_))));
    done(after).unwrap();
    assert_eq!(stored(&fixture), [("acme".to_owned(), 0, entries(&["p1", "p3"]))]);
}

#[test]
fn full_block_is_followed_by_another() {
    let fixture = WriterFixture::new();
    let job = fixture.submit(|commit| {
        for id in 0..1_001 {
            add(commit, "acme", id, 0);
        }
        Ok(())
    });
    done(job).unwrap();
    let last: Vec<_> = stored(&fixture).into_iter().map(|(_, _, entries)| entries).skip(1).collect();
    assert_eq!(last, [entries(&["p1000"])]);
}
