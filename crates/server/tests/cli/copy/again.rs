//! Repeated copies.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use pointbook_access::tokens::issue::StoreToken;
use pointbook_access::tokens::revoke::RevokeTokensOf;
use pointbook_catalogue::commands::{ReplaceCategories, RetireProducts, UpsertProducts};
use pointbook_domain::TokenKind;
use pointbook_points::earning::record_activities::RecordHistory;
use pointbook_store::copy::{CopyError, copy_tenant};
use pointbook_store::ports::CatalogueVersion;
use pointbook_testkit::build::{activity, category, recorded};
use pointbook_testkit::{Fault, FaultyDatabase, WriteFault, build};
use tokio::sync::Notify;

use super::fixture::{CopyFixture, SOURCE};

#[tokio::test]
async fn a_copy_that_was_interrupted_is_run_again() {
    for fixture in CopyFixture::all().await {
        let (source, target) =
            (SOURCE.open(&fixture.folder).await, fixture.target.open(&fixture.folder).await);
        let tenant = source.tenants().await.unwrap().remove(0);
        let mut interruptions = 0;
        for steps in 1.. {
            let (seen, stop) = (AtomicU32::new(0), Arc::new(Notify::new()));
            let count = |_: &str, _: u64| {
                if seen.fetch_add(1, Ordering::Relaxed) + 1 == steps {
                    stop.notify_one();
                }
            };
            let copy = copy_tenant(&*source, &*target, &tenant, count);
            tokio::select! {
                biased;
                () = stop.notified() => interruptions += 1,
                copied = copy => {
                    copied.unwrap();
                    break;
                }
            }
        }
        assert!(interruptions > 5, "{interruptions}");
        drop((source, target));
        fixture.copy().expect_code(0);
        assert_eq!(fixture.target(), fixture.source());
    }
}

#[tokio::test]
async fn a_copy_whose_target_failed_is_run_again() {
    for fixture in CopyFixture::all().await {
        let source = SOURCE.open(&fixture.folder).await;
        let target = FaultyDatabase::healthy(fixture.target.open(&fixture.folder).await);
        for tenant in source.tenants().await.unwrap() {
            target.fail_next_write(Some(WriteFault::AnswerLost));
            let failed = copy_tenant(&*source, &target, &tenant, |_, _| {}).await;
            assert!(matches!(failed, Err(CopyError::Target(_))), "{failed:?}");
        }
        drop((source, target));
        fixture.copy().expect_code(0);
        assert_eq!(fixture.target(), fixture.source());
    }
}

/// Changes rows in every way that the service can, and in some more.
#[tokio::test]
async fn second_copy_includes_changes_of_the_source() {
    for fixture in CopyFixture::all().await {
        fixture.copy().expect_code(0);
        let data = SOURCE.tenant(&fixture.folder, "acme").await;
        let leaf = |id| category(id, Vec::new());
        // A child and its parent swap places, another category is gone, and one is new.
        let tree = build::tree(vec![category("m", vec![category("z", vec![leaf("c"), leaf("b")])])]);
        data.write(ReplaceCategories::with(&tree)).await.unwrap();
        data.write(RetireProducts { ids: vec![build::product_id("mug")], at: build::on_day(4) })
            .await
            .unwrap();
        data.write(RecordHistory::new(vec![recorded("new", activity("s-1", 5))], build::on_day(4)))
            .await
            .unwrap();
        data.write(RevokeTokensOf {
            owner: TokenKind::Customer(build::user_id("ann")),
            at: build::on_day(4),
        })
        .await
        .unwrap();
        data.forget_request_keys(build::on_day(5), 1).await.unwrap();
        drop(data);
        // The progress of the webhook goes with it.
        assert_eq!(fixture.change_source("DELETE FROM webhooks WHERE id = 'wh_1' AND tenant_id = 'acme'"), 1);
        let changed = "UPDATE webhooks SET lanes = 8 WHERE id = 'wh_2' AND tenant_id = 'acme'";
        assert_eq!(fixture.change_source(changed), 1);
        fixture
            .run(&SOURCE, "tenant set acme low_stock_threshold=4 --base-url http://new.example/api")
            .expect_code(0);
        let copied = fixture.copy().expect_code(0);
        assert!(
            copied.stdout.lines().next().unwrap().contains(" rows, 6 added, 8 changed, 3 removed, "),
            "{copied:?}"
        );
        assert_eq!(fixture.target(), fixture.source());
    }
}

#[tokio::test]
async fn what_only_the_target_has_is_removed() {
    for fixture in CopyFixture::all().await {
        fixture.copy().expect_code(0);
        let data = fixture.target.tenant(&fixture.folder, "acme").await;
        data.write(StoreToken(build::token(9, Some("stranger")))).await.unwrap();
        let leaf = |id| category(id, Vec::new());
        let tree = build::tree(vec![category("p", vec![category("x", vec![leaf("y"), leaf("a")])])]);
        data.write(ReplaceCategories::with(&tree)).await.unwrap();
        data.write(UpsertProducts(vec![build::upsert(build::product("new"))])).await.unwrap();
        drop(data);
        fixture.copy().expect_code(0);
        assert_eq!(fixture.target(), fixture.source());
    }
}

/// A tenant without a tree has no row of one.
#[tokio::test]
async fn a_tree_that_only_the_target_has_is_removed() {
    for fixture in CopyFixture::all().await {
        fixture.copy().expect_code(0);
        assert_eq!(fixture.change_source("DELETE FROM category_trees WHERE tenant_id = 'acme'"), 1);
        let raised = "UPDATE catalogue_versions SET version = version + 1 WHERE tenant_id = 'acme'";
        assert_eq!(fixture.change_source(raised), 1);
        fixture.copy().expect_code(0);
        assert_eq!(fixture.target(), fixture.source());
        let data = fixture.target.tenant(&fixture.folder, "acme").await;
        assert_eq!(data.categories().await.unwrap(), build::tree(Vec::new()));
    }
}

/// A server reads the catalogue again only when its version changed.
#[tokio::test]
async fn the_version_of_a_catalogue_moves_after_the_catalogue() {
    let fixture = CopyFixture::with_file().await;
    fixture.copy().expect_code(0);
    let data = SOURCE.tenant(&fixture.folder, "acme").await;
    data.write(ReplaceCategories::with(&build::tree(vec![category("z", Vec::new())]))).await.unwrap();
    data.write(UpsertProducts(vec![build::upsert(build::product("glass"))])).await.unwrap();
    drop(data);
    let seen = watched(
        &fixture,
        "SELECT (SELECT version & 0xFFFFFFFF FROM catalogue_versions WHERE tenant_id = 'acme'),
        (SELECT json_array_length(categories) FROM category_trees WHERE tenant_id = 'acme')
            - (SELECT count(*) FROM products WHERE tenant_id = 'acme' AND id = 'glass')",
    )
    .await;
    // Before: four categories and no glass. After: one category and a glass.
    let (first, last) = (seen[0], *seen.last().unwrap());
    assert_eq!((first.1, last.1, last.0 - first.0), (4, 0, 2));
    assert!(seen.iter().all(|(version, catalogue)| *version == first.0 || *catalogue == last.1), "{seen:?}");
}

/// Otherwise a server, or the next copy, would miss the change: both compare the count of writes.
#[tokio::test]
async fn a_copy_that_failed_before_its_last_write_is_seen_when_it_is_run_again() {
    let fixture = CopyFixture::with_file().await;
    fixture.copy().expect_code(0);
    for (end, own) in [(&SOURCE, "glass"), (&fixture.target, "jar")] {
        let data = end.tenant(&fixture.folder, "acme").await;
        data.write(UpsertProducts(vec![build::upsert(build::product(own))])).await.unwrap();
    }
    let before = version(&fixture);
    let (source, target) = (SOURCE.open(&fixture.folder).await, fixture.target.open(&fixture.folder).await);
    let (tenant, target) = (source.tenants().await.unwrap().remove(0), FaultyDatabase::healthy(target));
    let mut passes = 0;
    let fail_after_removal = |doing: &str, _: u64| {
        passes += u32::from(doing == "products");
        if passes == 2 {
            target.fail_next_write(Some(WriteFault::Before(Fault::Unavailable)));
        }
    };
    let failed = copy_tenant(&*source, &target, &tenant, fail_after_removal).await;
    assert!(matches!(failed, Err(CopyError::Target(_))), "{failed:?}");
    drop((source, target));
    fixture.copy().expect_code(0);
    assert_eq!(fixture.target(), fixture.source());
    assert!(!before.leads_to(version(&fixture)), "{before:?} {:?}", version(&fixture));
}

/// The version of `acme`'s catalogue in the target.
fn version(fixture: &CopyFixture) -> CatalogueVersion {
    let file = rusqlite::Connection::open(fixture.folder.path("target.db")).unwrap();
    let sql = "SELECT version FROM catalogue_versions WHERE tenant_id = 'acme'";
    CatalogueVersion(file.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap().cast_unsigned())
}

/// Otherwise requests would write into an incomplete ledger.
#[tokio::test]
async fn copy_writes_tokens_last() {
    let fixture = CopyFixture::with_file().await;
    let seen = watched(
        &fixture,
        "SELECT (SELECT count(*) FROM tokens), (SELECT count(*) FROM transactions)
        + (SELECT count(*) FROM orders) + (SELECT count(*) FROM products)
        + (SELECT count(*) FROM request_keys) + (SELECT count(*) FROM catalogue_versions)",
    )
    .await;
    let last = *seen.last().unwrap();
    assert_eq!((seen[0].0, last.0), (0, 3));
    assert!(seen.iter().all(|(tokens, others)| *tokens == 0 || *others == last.1), "{seen:?}");
}

/// Two numbers of the target at every step of a copy of `acme`.
async fn watched(fixture: &CopyFixture, sql: &str) -> Vec<(i64, i64)> {
    let (source, target) = (SOURCE.open(&fixture.folder).await, fixture.target.open(&fixture.folder).await);
    let tenant = source.tenants().await.unwrap().remove(0);
    let file = rusqlite::Connection::open(fixture.folder.path("target.db")).unwrap();
    let (mut seen, sql) = (Vec::new(), sql.to_owned());
    let all_seen = &mut seen;
    let watch = move |_: &str, _: u64| {
        all_seen.push(file.query_row(&sql, [], |row| Ok((row.get(0)?, row.get(1)?))).unwrap());
    };
    copy_tenant(&*source, &*target, &tenant, watch).await.unwrap();
    seen
}
