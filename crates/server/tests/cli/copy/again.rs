//! Copies that are made again.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use pointbook_app::{CopyError, copy_tenant};
use pointbook_domain::Product;
use pointbook_testkit::build::{self, activity, category, recorded};
use pointbook_testkit::{FaultyDatabase, WriteFault};
use tokio::sync::Notify;

use super::bed::{Bed, SOURCE};
use crate::program::get_of_host;

#[tokio::test]
async fn a_copy_that_was_interrupted_is_run_again() {
    for bed in Bed::all().await {
        let (source, target) = (SOURCE.open(&bed.folder).await, bed.target.open(&bed.folder).await);
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
        bed.copy().expect_code(0);
        assert_eq!(bed.target(), bed.source());
    }
}

#[tokio::test]
async fn a_copy_whose_target_failed_is_run_again() {
    for bed in Bed::all().await {
        let source = SOURCE.open(&bed.folder).await;
        let target = FaultyDatabase::healthy(bed.target.open(&bed.folder).await);
        for tenant in source.tenants().await.unwrap() {
            target.fail_next_write(Some(WriteFault::AnswerLost));
            let failed = copy_tenant(&*source, &target, &tenant, |_, _| {}).await;
            assert!(matches!(failed, Err(CopyError::Target(_))), "{failed:?}");
        }
        drop((source, target));
        bed.copy().expect_code(0);
        assert_eq!(bed.target(), bed.source());
    }
}

/// Every way in which a service changes its rows, and then some.
#[tokio::test]
async fn a_source_that_went_on_is_brought_over() {
    for bed in Bed::all().await {
        bed.copy().expect_code(0);
        let data = SOURCE.tenant(&bed.folder, "acme").await;
        let leaf = |id| category(id, Vec::new());
        // The former child has its parent below it, another is gone, and one is new.
        let tree = build::tree(vec![category("m", vec![category("z", vec![leaf("c"), leaf("b")])])]);
        data.replace_categories(&tree).await.unwrap();
        data.retire_products(&[build::product_id("mug")], build::on_day(4)).await.unwrap();
        data.record_history(&[recorded("new", activity("s-1", 5))], build::on_day(4)).await.unwrap();
        data.revoke_user_tokens(&build::user_id("ann"), build::on_day(4)).await.unwrap();
        data.forget_request_keys(build::on_day(5), 1).await.unwrap();
        drop(data);
        bed.run(&SOURCE, "tenant set acme low_stock_threshold=4 --base-url http://new.example/api")
            .expect_code(0);
        let copied = bed.copy().expect_code(0);
        assert!(
            copied.stdout.starts_with("acme/production: 35 rows, 4 added, 8 changed, 2 removed, "),
            "{copied:?}"
        );
        assert_eq!(bed.target(), bed.source());
    }
}

#[tokio::test]
async fn what_only_the_target_has_is_removed() {
    for bed in Bed::all().await {
        bed.copy().expect_code(0);
        let data = bed.target.tenant(&bed.folder, "acme").await;
        data.insert_token(&build::token(9, Some("nobody"))).await.unwrap();
        let leaf = |id| category(id, Vec::new());
        let tree = build::tree(vec![category("p", vec![category("x", vec![leaf("y"), leaf("a")])])]);
        data.replace_categories(&tree).await.unwrap();
        data.upsert_products(&[build::upsert(build::product("new"))]).await.unwrap();
        drop(data);
        bed.copy().expect_code(0);
        assert_eq!(bed.target(), bed.source());
    }
}

#[tokio::test]
async fn a_source_that_is_written_to_meanwhile_is_told() {
    for bed in Bed::all().await {
        let (source, target) = (SOURCE.open(&bed.folder).await, bed.target.open(&bed.folder).await);
        let tenant = source.tenants().await.unwrap().remove(0);
        let write = |doing: &'static str, _: u64| {
            if doing == "tokens" {
                bed.change_source("UPDATE users SET locale = 'tr' WHERE tenant_id = 'acme' AND id = 'bob'");
            }
        };
        let report = copy_tenant(&*source, &*target, &tenant, write).await.unwrap();
        assert_eq!(report.source.differing(&report.target), ["users"]);
        assert_ne!(report.source.sha256(), report.target.sha256());
        drop((source, target));
        bed.copy().expect_code(0);
    }
}

#[tokio::test]
async fn a_server_on_the_target_shows_what_is_copied() {
    for bed in Bed::all().await {
        assert_eq!(bed.change_source("UPDATE users SET disabled_at = NULL WHERE id = 'ann'"), 2);
        let token = bed.run(&SOURCE, "token issue --tenant acme --user ann").expect_code(0).stdout;
        let headers = format!("Authorization: Bearer {}\r\n", token.trim());
        // Nobody reads what it would say of every request.
        bed.folder.write("a.toml", "[log]\naccess = false\n");
        let serve = format!("--database {} serve --listen 127.0.0.1:0 --config a.toml", bed.target.url());
        let server = bed.folder.serve(&serve);
        let url = format!("{}/api/v1/store/products", server.url);
        let shows = |title: &str| get_of_host("acme.example", &url, &headers).contains(title);
        bed.copy().expect_code(0);
        wait_until(|| shows("Product cup"));
        let data = SOURCE.tenant(&bed.folder, "acme").await;
        let glass = Product { title: "A glass".to_owned(), ..build::product("glass") };
        data.upsert_products(&[build::upsert(glass)]).await.unwrap();
        data.retire_products(&[build::product_id("cup")], build::on_day(4)).await.unwrap();
        drop(data);
        assert!(!shows("A glass"));
        bed.copy().expect_code(0);
        wait_until(|| shows("A glass") && !shows("Product cup"));
    }
}

/// Asks again and again; fails after ten seconds.
#[track_caller]
fn wait_until(holds: impl Fn() -> bool) {
    let asked_at = std::time::Instant::now();
    while !holds() {
        assert!(asked_at.elapsed().as_secs() < 10, "it never came");
    }
}
