//! Our own server keeps everything, on both databases and whatever it holds.

use std::process::Stdio;

use pointbook_check::{Outcome, Report};
use pointbook_server::import::Kind;
use pointbook_testkit::postgres::empty_database;

use crate::bed::{Bed, examined};
use crate::demo::{Demo, program};

/// What cannot be tried on nothing.
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

/// What cannot be tried on one day.
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
    // What the command grants unless told otherwise is enough for it.
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

/// What an empty tenant, and one of a page, keep on this database.
async fn small_tenants_keep_what_can_be_tried(database: &str) {
    let bed = Bed::start(database).await;
    let (ann, ben) = (bed.token("ann").await, bed.token("ben").await);
    let report = tokio::task::block_in_place(|| examined(&bed.base_url, &ann, Some(&ben)));
    assert_all_held(&report, &UNTRIED_ON_NOTHING);
    bed.import(Kind::Categories, CATEGORIES).await;
    bed.import(Kind::Products, PRODUCTS).await;
    bed.import(Kind::Activities, ACTIVITIES).await;
    let report = tokio::task::block_in_place(|| examined(&bed.base_url, &ann, Some(&ben)));
    assert_all_held(&report, &UNTRIED_ON_LITTLE);
}

#[tokio::test(flavor = "multi_thread")]
async fn small_tenants_keep_what_can_be_tried_on_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    small_tenants_keep_what_can_be_tried(&format!("sqlite:{}", folder.path().join("a.db").display())).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn small_tenants_keep_what_can_be_tried_on_postgres() {
    let Some(database) = empty_database().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut migrate = program(&folder);
    migrate.args(["--database", &database.url, "migrate"]).stderr(Stdio::null());
    assert!(migrate.status().unwrap().success());
    small_tenants_keep_what_can_be_tried(&database.url).await;
}
