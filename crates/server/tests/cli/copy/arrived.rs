//! A copy has all data, and the target can go on with it.

use pointbook_catalogue::commands::UpsertProducts;
use pointbook_points::earning::record_activity::RecordActivity;
use pointbook_points::orders::place::PlaceOrder;
use pointbook_store::ports::{RecordActivityOutcome, TenantData};
use pointbook_testkit::build;
use pointbook_testkit::build::{activity, order};
use rusqlite::types::Value;

use super::fixture::{CopyFixture, End, SOURCE};
use crate::program::get_of_host;

#[tokio::test]
async fn every_row_of_every_table_arrives_unchanged() {
    for fixture in CopyFixture::all().await {
        let copied = fixture.copy().expect_code(0);
        let source = fixture.source();
        assert!(source.values().all(|rows| rows.len() >= 2), "{source:?}");
        assert_eq!(fixture.target(), source);
        let settings = format!("{:?}", source["tenants"]);
        assert!(settings.contains("of tomorrow") && settings.contains("Besuch"), "{settings}");
        let lines: Vec<_> = copied.stdout.lines().collect();
        assert_eq!(lines.len(), 2, "{copied:?}");
        let of_acme = |row: &&Vec<Value>| row[0] == Value::Text("acme".to_owned());
        let count = source.values().flatten().filter(of_acme).count();
        let expected = format!("acme/production: {count} rows, {count} added, 0 changed, 0 removed, sha256 ");
        assert!(lines[0].starts_with(&expected), "{copied:?}");
        assert_ne!(lines[0].split("sha256").nth(1), lines[1].split("sha256").nth(1));
        for tenant in ["source acme/production", "target acme/production", "target other/production"] {
            let audited = format!(
                "{tenant}: 2 users, 8 transactions, 3 orders, 3 products, 1 audit log entries, 0 differences\n"
            );
            assert!(copied.stderr.contains(&audited), "{copied:?}");
        }
    }
}

/// The source keeps its background jobs and leases: they belong to processes that do not work on the target.
#[tokio::test]
async fn jobs_are_left_behind() {
    for fixture in CopyFixture::all().await {
        assert_eq!(fixture.change_source("UPDATE jobs SET lease_owner = 'one', lease_ends_at = 9"), 6);
        fixture.copy().expect_code(0);
        for (end, expected) in [(&SOURCE, 2), (&fixture.target, 0)] {
            let jobs = fixture.run(end, "jobs list --json").expect_code(0).stdout;
            assert_eq!(jobs.matches("clean-tokens").count(), expected, "{jobs}");
        }
        fixture.run(&fixture.target, "jobs run clean-tokens --tenant acme").expect_code(0);
        assert!(fixture.copy().expect_code(0).stdout.contains(" 0 added, 0 changed, 0 removed, "));
    }
}

#[tokio::test]
async fn digest_of_a_copied_copy_is_the_same() {
    for fixture in CopyFixture::all().await {
        let there = fixture.copy().expect_code(0);
        let back = fixture.folder.run(&format!("copy --from {} --to sqlite:back.db", fixture.target.url()));
        assert_eq!(back.expect_code(0).stdout, there.stdout);
    }
}

#[tokio::test]
async fn copy_into_an_equal_database_writes_nothing() {
    for fixture in CopyFixture::all().await {
        fixture.copy().expect_code(0);
        let again = fixture.copy().expect_code(0);
        for line in again.stdout.lines() {
            assert!(line.contains(" rows, 0 added, 0 changed, 0 removed, sha256 "), "{again:?}");
        }
    }
}

#[tokio::test]
async fn one_tenant_is_copied_alone() {
    for fixture in CopyFixture::all().await {
        let ends = format!("copy --from {} --to {}", SOURCE.url(), fixture.target.url());
        let copied = fixture.folder.run(&format!("{ends} --tenant other")).expect_code(0);
        assert!(copied.stdout.starts_with("other/production: ") && copied.stdout.lines().count() == 1);
        let tenants = fixture.run(&fixture.target, "tenant list").expect_code(0).stdout;
        assert!(tenants.contains("other/production") && !tenants.contains("acme"), "{tenants}");
    }
}

#[tokio::test]
async fn exports_of_both_sides_are_the_same_bytes() {
    for fixture in CopyFixture::all().await {
        fixture.copy().expect_code(0);
        for kind in ["categories", "products", "users", "activities"] {
            let line = format!("export {kind} --tenant acme");
            let (there, here) = (fixture.run(&fixture.target, &line), fixture.run(&SOURCE, &line));
            assert_eq!(there.expect_code(0), here.expect_code(0));
        }
        assert_eq!(
            fixture.run(&fixture.target, "tenant show acme").expect_code(0),
            fixture.run(&SOURCE, "tenant show acme").expect_code(0)
        );
    }
}

#[tokio::test]
async fn clients_see_no_difference() {
    for fixture in CopyFixture::all().await {
        // Enables ann, so that her tokens work.
        assert_eq!(fixture.change_source("UPDATE users SET disabled_at = NULL WHERE id = 'ann'"), 2);
        let token = fixture.run(&SOURCE, "token issue --tenant acme --user ann").expect_code(0).stdout;
        let revoked = fixture.run(&SOURCE, "token issue --tenant acme --user bob").expect_code(0).stdout;
        fixture.run(&SOURCE, "token revoke --tenant acme --user bob").expect_code(0);
        fixture.copy().expect_code(0);
        let answers = [&SOURCE, &fixture.target].map(|end| answers(&fixture, end, [&token, &revoked]));
        assert_eq!(answers[0], answers[1]);
        assert!(answers[0][0].starts_with("HTTP/1.1 200") && answers[0].last().unwrap().contains("401"));
    }
}

/// The responses that customers with these tokens get.
fn answers(fixture: &CopyFixture, end: &End, tokens: [&str; 2]) -> Vec<String> {
    let server = fixture.folder.serve(&format!("--database {} serve --listen 127.0.0.1:0", end.url()));
    let mut answers = Vec::new();
    for token in tokens {
        let headers = format!("Authorization: Bearer {}\r\n", token.trim());
        for path in ["user/point-history", "user", "store/products", "store/categories", "store/orders"] {
            answers.push(get_of_host("acme.example", &format!("{}/api/v1/{path}", server.url), &headers));
        }
    }
    answers.iter().map(|answer| without_own_headers(answer)).collect()
}

/// The response without the parts that differ between servers.
fn without_own_headers(answer: &str) -> String {
    let own = ["date:", "x-request-id:"];
    let lines = answer.lines().filter(|line| !own.iter().any(|name| line.to_lowercase().starts_with(name)));
    lines.collect::<Vec<_>>().join("\n")
}

#[tokio::test]
async fn copied_tenant_can_be_used() {
    for fixture in CopyFixture::all().await {
        fixture.copy().expect_code(0);
        let data = fixture.target.tenant(&fixture.folder, "acme").await;
        go_on(&*data).await;
        drop(data);
        let audit = fixture.run(&fixture.target, "audit --tenant acme").expect_code(0);
        let looked_at = "2 users, 10 transactions, 4 orders, 3 products, 1 audit log entries, 0 differences";
        assert_eq!(audit.stdout, format!("acme/production: {looked_at}\n"));
    }
}

/// Writes the next order and activity, and repeats earlier requests.
async fn go_on(data: &dyn TenantData) {
    let entries = data.entries_after(None, 100).await.unwrap();
    let last = entries.iter().rev().find(|entry| entry.user_id.as_str() == "bob").unwrap();
    let activity = build::to_record("bob", activity("s-9", 11));
    let recorded = data.execute(RecordActivity::without_end(activity, build::on_day(9)), None).await.unwrap();
    let Ok(RecordActivityOutcome::Recorded(recorded)) = recorded.without_key() else {
        panic!("not recorded")
    };
    assert_eq!((recorded.seq, recorded.user_points.get()), (last.seq + 1, last.balance_after.get() + 11));
    let version = data.catalogue_version().await.unwrap();
    data.write(PlaceOrder::without_end(order("o-9", "bob", "cup"))).await.unwrap();
    assert_eq!(data.product(&build::product_id("cup")).await.unwrap().unwrap().reserved, 2);
    let dearer = pointbook_domain::Product { regular_price: build::price(700), ..build::product("mug") };
    data.write(UpsertProducts(vec![build::upsert(dearer)])).await.unwrap();
    assert!(data.catalogue_version().await.unwrap() > version);
    let again = data.execute(
        PlaceOrder::without_end(order("o-10", "ann", "cup")),
        build::once(build::request_key("o-1", 1), build::noon()),
    );
    assert!(matches!(again.await.unwrap(), pointbook_store::ports::Execution::Replayed(_)));
}
