//! The metrics of a running server match the documentation page, the dashboard and the alerts.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use pointbook_testkit::postgres::empty_database;
use serde_json::Value;

use super::instance::{Instance, run};
use super::tools::{expect_success, run_where_installed};
use super::{ROOT, deployed};

const PAGE: &str = include_str!("../../../../docs/operating/monitoring.md");

/// The prefixes of metrics of the program and of its process.
const OURS: [&str; 2] = ["pointbook_", "process_"];

/// How long to wait for metrics that are updated now and then.
const SHOWN: Duration = Duration::from_mins(1);

const PRODUCT: &str = "sku,title,regular_price\nmug,Mug,20\n";

/// A server with one tenant, after everything that a metric counts happened once.
struct UsedServer {
    instance: Instance,
    office: String,
    ann: String,
}

impl UsedServer {
    fn start(database: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let products = folder.path().join("products.csv");
        std::fs::write(&products, PRODUCT).unwrap();
        run(database, "migrate");
        run(database, "tenant add acme --environment production --base-url http://acme.example/api");
        run(database, "tenant set acme rate_limit_reads_per_minute=1");
        run(database, &format!("import products {} --tenant acme", products.display()));
        let office = run(database, "token issue --tenant acme --super-user");
        let ann = run(database, "token issue --tenant acme --user ann");
        let busy = Self { instance: Instance::start(database), office, ann };
        busy.work();
        busy
    }

    fn work(&self) {
        // Nothing listens at the port.
        let webhook = r#"{"url":"http://127.0.0.1:1024/"}"#;
        self.send(&self.office, "POST manage/webhooks", "webhook-1", webhook, 201);
        let code = r#"{"type":"code","source_id":"c-1","points":50,"title":"Scan"}"#;
        for _ in 0..2 {
            self.send(&self.office, "POST manage/users/ann/activities", "activity-1", code, 201);
        }
        // The activity is known without the key, too, and adds no row.
        self.send(&self.office, "POST manage/users/ann/activities", "activity-2", code, 200);
        let placed = self.send(&self.ann, "POST store/orders", "order-1", r#"{"product_id":"mug"}"#, 201);
        let order = placed.split("\"id\":\"").nth(1).unwrap().split('"').next().unwrap();
        self.send(&self.office, &format!("POST manage/orders/{order}/cancel"), "cancel-1", "", 200);
        self.send(&self.ann, "GET store/products", "", "", 200);
        self.send(&self.ann, "GET store/products", "", "", 429);
    }

    fn send(&self, token: &str, request: &str, key: &str, body: &str, status: u16) -> String {
        let key = if key.is_empty() { String::new() } else { format!("\r\nIdempotency-Key: {key}") };
        let (method, path) = request.split_once(' ').unwrap();
        let head = format!(
            "{method} /api/v1/{path} HTTP/1.1\r\nHost: acme.example\r\nAuthorization: Bearer {token}{key}"
        );
        let response = Instance::send(&self.instance.authority, &head, body);
        assert!(response.starts_with(&format!("HTTP/1.1 {status} ")), "{request}: {response}");
        response
    }

    /// The first scrape that has all these names.
    fn scrape_with(&self, expected: &BTreeSet<String>) -> String {
        let began = Instant::now();
        loop {
            let scrape = self.instance.scrape();
            let missing: Vec<_> = expected.difference(&names_in_scrape(&scrape)).cloned().collect();
            if missing.is_empty() {
                return scrape;
            }
            assert!(began.elapsed() < SHOWN, "not shown: {missing:?}");
            std::thread::yield_now();
        }
    }
}

/// The names of all metrics with a value.
fn names_in_scrape(scrape: &str) -> BTreeSet<String> {
    let (values, kinds): (Vec<&str>, Vec<&str>) = scrape.lines().partition(|line| !line.starts_with('#'));
    let is_shown = |name: &str| {
        values.iter().any(|line| {
            let rest = line.strip_prefix(name).map(|rest| rest.strip_prefix("_bucket").unwrap_or(rest));
            rest.is_some_and(|rest| rest.starts_with(['{', ' ']))
        })
    };
    let names = kinds.iter().filter_map(|line| line.strip_prefix("# TYPE ")?.split(' ').next());
    names.filter(|name| is_shown(name)).map(str::to_owned).collect()
}

/// The metrics that the page lists for this kind of database.
fn names_in_page(other_database: &str) -> BTreeSet<String> {
    let rows = PAGE.lines().filter(|row| OURS.iter().any(|ours| row.starts_with(&format!("| `{ours}"))));
    let rows = rows.filter(|row| !row.contains(&format!("{other_database} only")));
    let names: BTreeSet<String> = rows.map(|row| row.split('`').nth(1).unwrap().to_owned()).collect();
    assert!(names.len() >= 30, "{names:?}");
    names
}

/// Every word of an expression that looks like one of our metrics, without the suffixes of histograms.
fn names_in_expression(expression: &str) -> BTreeSet<String> {
    let words = expression.split(|found: char| !(found.is_ascii_alphanumeric() || found == '_'));
    let ours = words.filter(|word| OURS.iter().any(|prefix| word.starts_with(prefix)));
    ours.map(|word| word.strip_suffix("_bucket").unwrap_or(word).to_owned()).collect()
}

fn expressions_of_dashboard() -> Vec<String> {
    let dashboard: Value = serde_json::from_str(&deployed("grafana/pointbook.json")).unwrap();
    let panels = dashboard["panels"].as_array().unwrap().iter();
    let targets = panels.flat_map(|panel| panel["targets"].as_array().unwrap());
    let mut all: Vec<String> = targets.map(|target| target["expr"].as_str().unwrap().to_owned()).collect();
    let variables = dashboard["templating"]["list"].as_array().unwrap().iter();
    all.extend(variables.filter_map(|variable| variable["query"].as_str()).map(str::to_owned));
    all
}

/// The expression of every alert, on one line, by the name of the alert.
fn alerts() -> Vec<(String, String)> {
    let rules = deployed("prometheus/pointbook.rules.yaml");
    let alert = |text: &str| {
        let (name, rest) = text.split_once('\n').unwrap();
        let (_, rest) = rest.split_once("expr: >-\n").unwrap();
        let (expression, _) = rest.split_once("\n        for: ").unwrap();
        (name.to_owned(), expression.split_whitespace().collect::<Vec<_>>().join(" "))
    };
    rules.split("      - alert: ").skip(1).map(alert).collect()
}

fn value(scrape: &str, series: &str) -> Option<f64> {
    scrape.lines().find_map(|line| line.strip_prefix(series)?.strip_prefix(' ')?.parse().ok())
}

#[test]
fn a_file_shows_what_the_page_names_and_counts_each_write_once() {
    let folder = tempfile::tempdir().unwrap();
    let database = format!("sqlite:{}", folder.path().join("points.db").display());
    let busy = UsedServer::start(&database);
    let expected = names_in_page("PostgreSQL");
    let scrape = busy.scrape_with(&expected);
    assert_eq!(names_in_scrape(&scrape), expected);
    let of_tenant = |name: &str| value(&scrape, &format!("pointbook_{name}{{tenant=\"acme/production\"}}"));
    // 50 points for the scan, and 20 refunded for the order.
    assert_eq!(of_tenant("activities_recorded_total"), Some(1.0), "{scrape}");
    assert_eq!(of_tenant("points_earned_total"), Some(70.0));
    assert_eq!(of_tenant("points_spent_total"), Some(20.0));
    assert_eq!(of_tenant("orders_placed_total"), Some(1.0));
    assert_eq!(of_tenant("orders_cancelled_total"), Some(1.0));
    assert_eq!(of_tenant("requests_replayed_total"), Some(1.0));
    let rejected = "pointbook_tenant_requests_rejected_total{tenant=\"acme/production\",status=\"429\"}";
    assert_eq!(value(&scrape, rejected), Some(1.0));
    assert!(value(&scrape, "pointbook_database_bytes") > Some(100_000.0));
    assert_eq!(value(&scrape, "pointbook_database_up"), Some(1.0));
    let build = concat!("pointbook_build_info{version=\"", env!("CARGO_PKG_VERSION"), "\",");
    assert!(scrape.contains(build));
}

#[tokio::test]
async fn a_server_shows_what_the_page_names() {
    let Some(database) = empty_database().await else { return };
    let busy = UsedServer::start(&database.url);
    let expected = names_in_page("SQLite");
    let scrape = busy.scrape_with(&expected);
    assert_eq!(names_in_scrape(&scrape), expected);
    assert!(value(&scrape, "pointbook_database_bytes") > Some(100_000.0));
    assert!(value(&scrape, "pointbook_pool_connections_max") >= Some(1.0));
}

#[test]
fn every_declared_metric_stands_in_the_page() {
    let page = names_in_page("no database").into_iter().filter(|name| name.starts_with("pointbook_"));
    let declared = pointbook_store::measure::METRICS.iter().map(|metric| metric.name().to_owned());
    assert_eq!(page.collect::<BTreeSet<_>>(), declared.collect());
}

#[test]
fn the_dashboard_and_the_alerts_use_metrics_of_the_page() {
    let known = names_in_page("no database");
    let (dashboard, alerts) = (expressions_of_dashboard(), alerts());
    assert!(dashboard.len() >= 30 && alerts.len() >= 15, "{} and {}", dashboard.len(), alerts.len());
    for expression in dashboard.iter().chain(alerts.iter().map(|(_, expression)| expression)) {
        let used = names_in_expression(expression);
        assert!(used.is_subset(&known), "{expression}");
        let is_known_otherwise = expression == "prometheus" || expression.starts_with("up{");
        assert!(!used.is_empty() || is_known_otherwise, "{expression}");
    }
}

#[test]
fn the_page_says_what_to_do_for_every_alert_and_names_no_other() {
    let rows = PAGE.lines().filter(|row| row.starts_with("| `Pointbook"));
    let explained: BTreeSet<&str> = rows.map(|row| row.split('`').nth(1).unwrap()).collect();
    let alerts = alerts();
    assert_eq!(explained, alerts.iter().map(|(name, _)| name.as_str()).collect());
}

/// `tools` checks that the file is YAML, together with all other files of `deploy/`.
#[test]
fn prometheus_takes_the_alerts() {
    let rules = format!("{ROOT}/deploy/prometheus/pointbook.rules.yaml");
    expect_success(run_where_installed("promtool", &["check", "rules", &rules]));
}
