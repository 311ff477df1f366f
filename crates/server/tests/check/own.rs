//! Our own server keeps every rule, on both databases, with a large and with a small tenant.

use std::process::Stdio;
use std::sync::atomic::{AtomicU32, Ordering};

use pointbook_exchange::check::{Outcome, Report};
use pointbook_server::import::Kind;
use pointbook_testkit::postgres::empty_database;

use crate::checked_server::{CheckedServer, examined, examined_by};
use crate::demo::{Demo, program};
use crate::proxy;
use crate::proxy::{Origin, ProxiedRequest, ProxiedResponse, Tampering};

/// The rules that an empty tenant cannot show.
const UNTRIED_ON_NOTHING: [&str; 41] = [
    "auth.other-history",
    "products.amounts",
    "meta.page",
    "meta.counts",
    "links.walk",
    "order.steady",
    "detail.shape",
    "detail.same",
    "filters.store",
    "filters.category",
    "filters.tree",
    "filters.category-list",
    "filters.title",
    "filters.title-part",
    "filters.title-fold",
    "filters.price",
    "filters.price-effective",
    "filters.price-empty",
    "filters.sale",
    "filters.flags",
    "filters.combined",
    "sort.price",
    "sort.descending",
    "sort.complete",
    "sort.effective",
    "sort.ties",
    "categories.filter",
    "history.newest",
    "history.groups",
    "history.one-group",
    "history.types",
    "history.known-types",
    "history.sums",
    "history.transactions",
    "history.bonus-there",
    "history.bonus-fields",
    "history.bonus-sums",
    "history.utc",
    "history.order",
    "history.size",
    "dates.format",
];

/// The rules that a history of one day cannot show.
const UNTRIED_ON_LITTLE: [&str; 2] = ["history.newest", "history.size"];

/// A store of one page and a history of one day.
const CATEGORIES: &str =
    r#"[{"id":"home","label":"Home","children":[{"id":"cups","label":"Cups","children":[]}]}]"#;
const PRODUCTS: &str = r#"{"id":"mug","sku":"M-1","title":"Mug of stone","regular_price":300,"categories":["cups"]}
{"id":"bag","sku":"B-1","title":"Bag","regular_price":200,"sale_price":150,"categories":["home"]}
{"id":"pen","sku":"P-1","title":"Pen","regular_price":150}"#;
const ACTIVITIES: &str = r#"{"user_id":"ann","type":"code","source_id":"1","points":20,"title":"Code","created_at":"2026-01-01T10:00:00Z"}
{"user_id":"ann","type":"quiz","source_id":"2","points":5,"title":"Quiz","created_at":"2026-01-01T11:00:00Z","bonus_breakdown":[{"type":"campaign","points":7,"title":"More"}]}"#;

#[track_caller]
fn assert_all_held(report: &Report, untried: &[&str]) {
    assert_eq!(report.broken().count(), 0, "{report}");
    let left: Vec<_> = report.rules.iter().filter(|found| found.outcome == Outcome::Untried).collect();
    let ids: Vec<&str> = left.iter().map(|found| found.rule.id).collect();
    assert_eq!(ids, untried, "{report}");
    assert!(left.iter().all(|found| found.why.is_some()), "{report}");
}

#[test]
fn the_demo_keeps_every_rule() {
    let demo = Demo::start(None);
    let report = examined(&demo.base_url(), "demo-aiko", Some("demo-ben"));
    assert_all_held(&report, &[]);
    // The default limits of the command are enough.
    assert!(report.requests < 400, "{report}");
}

#[tokio::test]
async fn the_demo_keeps_every_rule_on_postgres() {
    let Some(database) = empty_database().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut migrate = program(&folder);
    migrate.args(["--database", &database.url, "migrate"]).stderr(Stdio::null());
    assert!(migrate.status().unwrap().success());
    let demo = Demo::start(Some(&database.url));
    let report = examined(&demo.base_url(), "demo-aiko", Some("demo-ben"));
    assert_all_held(&report, &[]);
}

/// Checks an empty tenant, then a tenant with one page of products, on this database.
async fn small_tenants_keep_every_rule_that_can_be_tried(database: &str) {
    let server = CheckedServer::start(database).await;
    let (ann, ben) = (server.token("ann").await, server.token("ben").await);
    let report = tokio::task::block_in_place(|| examined(&server.base_url, &ann, Some(&ben)));
    assert_all_held(&report, &UNTRIED_ON_NOTHING);
    server.import(Kind::Categories, CATEGORIES).await;
    server.import(Kind::Products, PRODUCTS).await;
    server.import(Kind::Activities, ACTIVITIES).await;
    let report = tokio::task::block_in_place(|| examined(&server.base_url, &ann, Some(&ben)));
    assert_all_held(&report, &UNTRIED_ON_LITTLE);
}

#[tokio::test(flavor = "multi_thread")]
async fn small_tenants_keep_every_rule_on_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    small_tenants_keep_every_rule_that_can_be_tried(&format!(
        "sqlite:{}",
        folder.path().join("a.db").display()
    ))
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn small_tenants_keep_every_rule_on_postgres() {
    let Some(database) = empty_database().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut migrate = program(&folder);
    migrate.args(["--database", &database.url, "migrate"]).stderr(Stdio::null());
    assert!(migrate.status().unwrap().success());
    small_tenants_keep_every_rule_that_can_be_tried(&database.url).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_category_may_have_all_products() {
    let folder = tempfile::tempdir().unwrap();
    let server = CheckedServer::start(&format!("sqlite:{}", folder.path().join("a.db").display())).await;
    let ann = server.token("ann").await;
    let products = PRODUCTS.replace(r#","categories":["home"]"#, "").replace(r#","categories":["cups"]"#, "");
    server.import(Kind::Categories, CATEGORIES).await;
    server.import(Kind::Products, products.replace('}', r#","categories":["cups"]}"#)).await;
    let report = tokio::task::block_in_place(|| examined(&server.base_url, &ann, None));
    assert_eq!(report.broken().count(), 0, "{report}");
    let rule = report.rules.iter().find(|found| found.rule.id == "filters.category").unwrap();
    assert_eq!(rule.outcome, Outcome::Held);
}

#[tokio::test(flavor = "multi_thread")]
async fn large_store_is_read_in_part_and_keeps_the_rules() {
    let folder = tempfile::tempdir().unwrap();
    let server = CheckedServer::start(&format!("sqlite:{}", folder.path().join("a.db").display())).await;
    let ann = server.token("ann").await;
    let row = |number: u32| {
        let (price, sale) = (100 + number % 97, number.is_multiple_of(7));
        let sale = if sale { format!(r#","sale_price":{}"#, price / 2) } else { String::new() };
        let title = if number.is_multiple_of(2) { "Café mug" } else { "Paper bag" };
        let id = number.wrapping_mul(2_654_435_761) % 1_000_000;
        let category = if number.is_multiple_of(3) { "cups" } else { "home" };
        format!(
            r#"{{"id":"p{id}-{number}","sku":"s","title":"{title} {number}","regular_price":{price}{sale},"categories":["{category}"]}}"#
        )
    };
    server.import(Kind::Categories, CATEGORIES).await;
    server.import(Kind::Products, (0..3_000).map(row).collect::<Vec<_>>().join("\n")).await;
    let report = tokio::task::block_in_place(|| examined_by(60, &server.base_url, &ann, None));
    assert_eq!(report.broken().count(), 0, "{report}");
    assert!(report.requests <= 60 && report.to_string().contains("of 3000 products were read"), "{report}");
    let report = tokio::task::block_in_place(|| examined_by(300, &server.base_url, &ann, None));
    assert_eq!(report.broken().count(), 0, "{report}");
    let report = tokio::task::block_in_place(|| examined(&server.base_url, &ann, None));
    assert_eq!(report.broken().count(), 0, "{report}");
}

#[test]
fn check_waits_for_retry_after() {
    /// The number of requests so far.
    static REQUESTS: AtomicU32 = AtomicU32::new(0);
    fn now_and_then(_: &ProxiedRequest, response: &mut ProxiedResponse, _: &Origin) {
        if REQUESTS.fetch_add(1, Ordering::Relaxed).is_multiple_of(5) {
            response.become_json(429, r#"{"message":"Too Many Attempts."}"#);
            response.set_header("retry-after", "0");
        }
    }
    let demo = Demo::start(None);
    let address = proxy::start(
        Origin::new(&demo.authority),
        Tampering { on_request: |_| {}, on_response: now_and_then },
    );
    let report = examined(&proxy::base_url(address), "demo-aiko", Some("demo-ben"));
    assert_all_held(&report, &[]);
    assert!(report.requests > 180, "{report}");
}
