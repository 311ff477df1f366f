//! Facts of concurrent writers.

use std::sync::Arc;

use futures_util::future::join_all;
use pointbook_catalogue::commands::UpsertProducts;
use pointbook_points::audit::ledger::{AuditReport, audit_ledger};
use pointbook_store::ports::{CatalogueVersion, Database, RecordOutcome};

use super::chain::{all_entries, assert_chained};
use super::{add_tenant, whole_history};
use crate::build;
use crate::build::{activity, recorded};

const WRITERS: u64 = 8;
const ROUNDS: u64 = 12;

/// No points and no rows of the chain are lost.
pub async fn writers_of_one_user_lose_nothing(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let writers = (0..WRITERS).map(|writer| {
        let data = data.clone();
        tokio::spawn(async move {
            for round in 0..ROUNDS {
                let source = format!("{writer}-{round}");
                let rows = [recorded("all", activity(&source, 1)), recorded(&source, activity(&source, 1))];
                let outcomes = data.write(build::history(rows.clone())).await.unwrap();
                assert_eq!(outcomes, vec![RecordOutcome::Recorded; 2]);
            }
        })
    });
    join_all(writers).await.into_iter().for_each(Result::unwrap);
    assert_eq!(whole_history(&data, "all").await.user_points.get().cast_unsigned(), WRITERS * ROUNDS);
    assert_chained(&all_entries(&data).await);
    let report = audit_ledger(&*data, |_| {}).await.unwrap();
    let (users, transactions) = (WRITERS * ROUNDS + 1, 2 * WRITERS * ROUNDS);
    assert_eq!(report, AuditReport { users, transactions, orders: 0, differences: 0 });
}

/// Every other writer learns that the activity was recorded.
pub async fn one_of_many_equal_activities_is_recorded(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let writers = (0..WRITERS).map(|writer| {
        let data = data.clone();
        let row = move |row: u64| {
            build::again(&recorded("u1", activity(&row.to_string(), 1)), &format!("{writer}/{row}"))
        };
        tokio::spawn(async move {
            let rows: Vec<_> = (0..ROUNDS).map(row).collect();
            let outcomes = data.write(build::history(rows.clone())).await.unwrap();
            assert!(!outcomes.contains(&RecordOutcome::Conflict));
            outcomes.into_iter().filter(|outcome| *outcome == RecordOutcome::Recorded).count() as u64
        })
    });
    let counts = join_all(writers).await.into_iter().map(Result::unwrap);
    assert_eq!(counts.sum::<u64>(), ROUNDS);
    assert_eq!(whole_history(&data, "u1").await.user_points.get().cast_unsigned(), ROUNDS);
}

/// Therefore a snapshot that follows the version misses no change.
pub async fn catalogue_writers_raise_the_version_one_by_one(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let writers = (0..WRITERS).map(|writer| {
        let data = data.clone();
        tokio::spawn(async move {
            for round in 0..ROUNDS {
                let product = build::product(&format!("{writer}-{round}"));
                data.write(UpsertProducts(vec![build::upsert(product)])).await.unwrap();
            }
        })
    });
    join_all(writers).await.into_iter().for_each(Result::unwrap);
    let total = WRITERS * ROUNDS;
    assert_eq!(data.catalogue_version().await.unwrap(), CatalogueVersion(total));
    let last = data.product_changes(CatalogueVersion(total - 1), None, 10).await.unwrap();
    assert_eq!(last.len(), 1);
}

/// Balance, days and rows are from the same commit while another task writes.
pub async fn a_reader_sees_whole_commits(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let writer = {
        let data = data.clone();
        tokio::spawn(async move {
            for round in 0..40 {
                let row = |part: i64| {
                    let new = pointbook_domain::Activity {
                        created_at: build::on_day(round),
                        ..activity(&format!("{round}-{part}"), 1)
                    };
                    recorded("u1", new)
                };
                data.write(build::history([row(0), row(1), row(2)])).await.unwrap();
            }
        })
    };
    while !writer.is_finished() {
        let read = whole_history(&data, "u1").await;
        let rows = read.rows.len() as u64;
        assert_eq!((read.user_points.get().cast_unsigned(), read.day_count * 3), (rows, rows));
        tokio::task::yield_now().await;
    }
    writer.await.unwrap();
}
