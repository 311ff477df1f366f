//! Facts of the event feed.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures_util::future::join_all;
use pointbook_catalogue::commands::{ReplaceCategories, RetireProducts, UpsertProducts};
use pointbook_domain::{Feed, FeedBlock, FeedEntry, Product, Timestamp};
use pointbook_events::feed::{RemoveBlocks, RestartFeed, feed};
use pointbook_points::earning::record_activity::RecordActivity;
use pointbook_points::members::put::ChangeUser;
use pointbook_store::feed::MAX_BLOCK_ENTRIES;
use pointbook_store::ports::{Database, OrderStep, Query, TenantData, read_all};

use super::add_tenant;
use super::order_steps::step;
use super::orders::{place, shop};
use crate::build;
use crate::build::{activity, noon, on_day, recorded, user_id};

/// Gives positions to all blocks, and reads them.
async fn blocks(data: &Arc<dyn TenantData>) -> Vec<FeedBlock> {
    while data.number_blocks(7).await.unwrap() == 7 {}
    let blocks = Query::of::<FeedBlock>("feed_blocks", &["last_position"]).after(Some(&0_u64));
    read_all(&**data, blocks).await.unwrap()
}

async fn entries(data: &Arc<dyn TenantData>) -> Vec<(u64, FeedEntry)> {
    let blocks = blocks(data).await;
    let numbered = |block: &FeedBlock| {
        block.numbered().map(|(position, entry)| (position, entry.clone())).collect::<Vec<_>>()
    };
    blocks.iter().flat_map(numbered).collect()
}

fn short((position, entry): &(u64, FeedEntry)) -> String {
    let FeedEntry { kind, user_id, id, row } = entry;
    let user = user_id.as_ref().map_or("", |user| user.as_str());
    let (id, seq) = (id.as_deref().unwrap_or(""), row.map_or_else(String::new, |(_, seq)| seq.to_string()));
    format!("{position} {} {user} {id} {seq}", kind.as_str()).trim_end().to_owned()
}

pub(super) async fn told(data: &Arc<dyn TenantData>) -> Vec<String> {
    entries(data).await.iter().map(short).collect()
}

/// Each change has its events, in the order of the commits.
pub async fn a_change_has_its_events(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    data.write(ChangeUser { change: build::user_change("ann"), now: noon() }).await.unwrap();
    data.write(RecordActivity::without_end(build::to_record("ann", activity("s-1", 500)), noon()))
        .await
        .unwrap();
    data.write(RecordActivity::without_end(build::to_record("ann", activity("s-1", 500)), noon()))
        .await
        .unwrap();
    data.write(RecordActivity::without_end(build::to_record("bob", activity("s-1", 5)), noon()))
        .await
        .unwrap();
    data.write(UpsertProducts(vec![build::upsert(build::product("mug"))])).await.unwrap();
    data.write(ReplaceCategories::with(&build::tree(vec![build::category("a", Vec::new())]))).await.unwrap();
    data.write(RetireProducts { ids: vec![build::product_id("mug")], at: noon() }).await.unwrap();
    let expected = [
        "1 user.created ann",
        "2 transaction.recorded ann  1",
        "3 user.created bob",
        "4 transaction.recorded bob  1",
        "5 product.changed  mug",
        "6 categories.changed",
        "7 product.changed  mug",
    ];
    assert_eq!(told(&data).await, expected);
    assert_eq!(told(&data).await, expected, "positions stay");
    let all = feed(&*data).await.unwrap();
    assert_eq!(all, Feed { generation: 1, last_position: 7, removed_position: 0 });
}

/// An order has its events and those of its points, and a product only when customers see the change.
pub async fn an_order_has_its_events(database: Arc<dyn Database>) {
    let data = shop(&database, Product { stock: Some(20), ..build::product("mug") }, 5_000).await;
    let before = told(&data).await.len();
    for id in ["o-1", "o-2"] {
        place(&data, &build::order(id, "u1", "mug")).await;
    }
    step(&data, "o-1", &OrderStep::Fulfil).await;
    step(&data, "o-2", &build::cancel("o-2")).await;
    let all = told(&data).await;
    let new: Vec<_> = all[before..].iter().map(|line| line.split_once(' ').unwrap().1).collect();
    assert_eq!(
        new,
        [
            "order.placed u1 o-1",
            "transaction.recorded u1  2",
            "order.placed u1 o-2",
            "transaction.recorded u1  3",
            "order.fulfilled u1 o-1",
            "transaction.recorded u1  4",
            "order.cancelled u1 o-2",
        ]
    );
}

/// Writers at the same time, and readers that give positions meanwhile: no gap, no row lost or doubled, each user in order.
pub async fn many_writers_leave_no_gap(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let writers = (0..10).map(|writer| {
        let data = data.clone();
        tokio::spawn(async move {
            for round in 0..20 {
                let user = format!("u{}", (writer + round) % 4);
                let new = build::to_record(&user, activity(&format!("{writer}-{round}"), 1));
                data.write(RecordActivity::without_end(new, noon())).await.unwrap();
            }
        })
    });
    let readers = (0..3).map(|_| {
        let data = data.clone();
        tokio::spawn(async move {
            for _ in 0..20 {
                blocks(&data).await;
            }
        })
    });
    join_all(writers.chain(readers)).await.into_iter().for_each(|ended| ended.unwrap());
    let entries = entries(&data).await;
    let positions: Vec<_> = entries.iter().map(|(position, _)| *position).collect();
    assert_eq!(positions, (1..=204).collect::<Vec<_>>(), "200 transactions and 4 users");
    let mut seqs = BTreeMap::<_, Vec<u64>>::new();
    for (_, FeedEntry { user_id, row, .. }) in entries {
        seqs.entry(user_id).or_default().extend(row.map(|(_, seq)| seq));
    }
    for (user, seqs) in seqs {
        assert_eq!(seqs, (1..=50).collect::<Vec<_>>(), "{user:?}");
    }
}

/// A large commit has several blocks.
pub async fn an_import_has_bounded_blocks(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let rows = (0..MAX_BLOCK_ENTRIES + 500).map(|n| recorded("u1", activity(&format!("s-{n}"), 1)));
    data.write(build::history(rows)).await.unwrap();
    let blocks = blocks(&data).await;
    let sizes: Vec<_> = blocks.iter().map(|block| block.entries.len()).collect();
    assert_eq!(sizes, [MAX_BLOCK_ENTRIES, 501]);
    assert!(blocks.iter().all(|block| block.at == noon()));
}

/// The rows of the ledger behind events are found by user, time and `seq`.
pub async fn rows_of_events_are_found(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let rows = ["s-1", "s-2", "s-3"].map(|source| recorded("ann", activity(source, 5)));
    data.write(build::history(rows)).await.unwrap();
    data.write(build::history([recorded("bob", activity("s-1", 7))])).await.unwrap();
    let time = activity("s-1", 5).created_at;
    let at =
        [("ann", time, 2), ("bob", time, 1), ("ann", time, 9), ("ann", on_day(1), 1), ("stranger", time, 1)];
    let at = at.map(|(user, at, seq)| (user_id(user), (at, seq)));
    let mut found = data.entries_at(&at).await.unwrap();
    found.sort_by_key(|entry| entry.balance_after.get());
    let found: Vec<_> =
        found.iter().map(|row| (row.user_id.as_str(), row.seq, row.balance_after.get())).collect();
    assert_eq!(found, [("bob", 1, 7), ("ann", 2, 10)]);
}

/// Removed blocks leave the positions of the others alone.
pub async fn old_blocks_are_removed(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    for user in ["a", "b", "c"] {
        data.write(ChangeUser { change: build::user_change(user), now: on_day(1) }).await.unwrap();
    }
    assert_eq!(told(&data).await.len(), 3);
    data.write(RemoveBlocks { from_position: 0, to_position: 2 }).await.unwrap();
    assert_eq!(told(&data).await, ["3 user.created c"]);
    data.write(RemoveBlocks { from_position: 2, to_position: 3 }).await.unwrap();
    data.write(ChangeUser { change: build::user_change("d"), now: noon() }).await.unwrap();
    assert_eq!(told(&data).await, ["4 user.created d"]);
    let all = feed(&*data).await.unwrap();
    assert_eq!(all, Feed { generation: 1, last_position: 4, removed_position: 3 });
}

/// A new generation leaves events and positions alone, also in a feed that was never read.
pub async fn positions_go_on_in_a_new_generation(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let restart = |second: i64| RestartFeed(Timestamp::from_micros(second * 1_000_000).unwrap());
    let restarted = Feed { generation: 5, ..Feed::EMPTY };
    assert_eq!(data.write(restart(5)).await.unwrap(), restarted);
    assert_eq!(feed(&*data).await.unwrap(), restarted);
    data.write(ChangeUser { change: build::user_change("a"), now: noon() }).await.unwrap();
    assert_eq!(told(&data).await, ["1 user.created a"]);
    assert_eq!(data.write(restart(9)).await.unwrap().generation, 9);
    data.write(ChangeUser { change: build::user_change("b"), now: noon() }).await.unwrap();
    assert_eq!(told(&data).await, ["1 user.created a", "2 user.created b"]);
    let all = feed(&*data).await.unwrap();
    assert_eq!(all, Feed { generation: 9, last_position: 2, removed_position: 0 });
}

/// Restarts at the same time each begin a generation, and the last one stays.
pub async fn restarts_of_a_feed_at_once_take_turns(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let restarts = (0..20).map(|_| {
        let data = data.clone();
        tokio::spawn(async move { data.write(RestartFeed(on_day(1))).await.unwrap().generation })
    });
    let mut generations: Vec<_> = join_all(restarts).await.into_iter().map(Result::unwrap).collect();
    generations.sort_unstable();
    let first = generations[0];
    assert_eq!(generations, (first..first + 20).collect::<Vec<_>>());
    assert_eq!(feed(&*data).await.unwrap().generation, first + 19);
}
