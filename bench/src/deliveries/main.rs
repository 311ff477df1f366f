//! Measures deliveries through the whole engine, on a SQLite file, to a receiver in another thread:
//!
//! - events per second of one webhook in mode `each` with 8 lanes
//! - processor time at rest, with 1,000 tenants of 10 webhooks each that have everything
//!
//! `cargo run --release -p pointbook-bench --example deliveries -- [URL of an empty PostgreSQL database]` also measures the rest there.
#![expect(clippy::unwrap_used, reason = "an error fails the measurement")]

mod receiver;

use std::hash::RandomState;
use std::sync::Arc;
use std::time::{Duration, Instant};

use pointbook_app::ports::Database;
use pointbook_app::{Clock, Service, ServiceLimits};
use pointbook_deliveries::{AddWebhook, AddressPolicy, Deliveries, Outbox, serve, show_webhook};
use pointbook_domain::{Timestamp, Webhook};
use pointbook_store_postgres::{PostgresOptions, PostgresStore, PostgresUrl};
use pointbook_store_sqlite::{SqliteOptions, SqliteStore};
use pointbook_testkit::build::{self, activity, noon, recorded, webhook};
use pointbook_testkit::{OneSecret, SequentialIds};
use tokio::time::sleep;

use self::receiver::Receiver;

const EVENTS: usize = 20_000;
const USERS: usize = 500;
const LANES: u32 = 8;

const TENANTS: usize = 1_000;
const WEBHOOKS_OF_TENANT: usize = 10;
const REST: Duration = Duration::from_mins(1);

#[tokio::main]
async fn main() {
    let folder = tempfile::tempdir().unwrap();
    let open = |name: &str| -> Arc<dyn Database> {
        Arc::new(SqliteStore::open(&folder.path().join(name), &SqliteOptions::new(noon())).unwrap())
    };
    measure_rate(open("rate.db")).await;
    measure_rest("SQLite", open("rest.db")).await;
    if let Some(url) = std::env::args().nth(1) {
        let (url, options) = (PostgresUrl::parse(&url).unwrap(), PostgresOptions::new(noon()));
        PostgresStore::migrate(&url, &options).await.unwrap();
        let store = PostgresStore::connect(&url, &options).await.unwrap();
        measure_rest("PostgreSQL (without its server)", Arc::new(store)).await;
    }
}

/// The clock of the system, for times of retries.
struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        let since = std::time::UNIX_EPOCH.elapsed().unwrap();
        Timestamp::from_micros(i64::try_from(since.as_micros()).unwrap()).unwrap()
    }
}

async fn process(database: Arc<dyn Database>) -> Arc<Deliveries> {
    let limits = ServiceLimits {
        principal_max_age_seconds: 0,
        principal_max_age_when_away_seconds: 0,
        refresh_interval_ms: 500,
        catalogue_bytes: 0,
    };
    let service = Service::open(database, Arc::new(SystemClock), Arc::new(OneSecret), limits).await.unwrap();
    let outbox = Outbox::open(AddressPolicy::default().with_http_to_loopback()).unwrap();
    let (ids, random) = (Arc::new(SequentialIds::default()), RandomState::new());
    Arc::new(Deliveries::new(Arc::new(service), Arc::new(outbox), ids, "one".to_owned(), random))
}

async fn measure_rate(database: Arc<dyn Database>) {
    let receiver = Receiver::start();
    let tenant = build::tenant("acme");
    database.insert_tenant(&tenant, &[]).await.unwrap();
    let data = database.tenant(&tenant.id);
    data.write(AddWebhook(Webhook { url: receiver.url(), lanes: LANES, ..webhook("wh_1") })).await.unwrap();
    for first in (0..EVENTS).step_by(1_000) {
        let rows = (first..first + 1_000)
            .map(|number| recorded(&format!("u{}", number % USERS), activity(&format!("s-{number}"), 1)));
        data.write(build::history(rows.collect::<Vec<_>>())).await.unwrap();
    }
    let deliveries = process(database).await;
    let (begin, before) = (Instant::now(), processor_time());
    let serving = tokio::spawn(serve(deliveries));
    let all = u64::try_from(EVENTS).unwrap();
    let delivered = async || {
        show_webhook(&*data, "wh_1")
            .await
            .unwrap()
            .unwrap()
            .progress
            .map_or(0, |progress| progress.delivered_count)
    };
    while delivered().await < all {
        sleep(Duration::from_millis(20)).await;
        assert!(begin.elapsed() < Duration::from_mins(5), "{} delivered", delivered().await);
    }
    let (took, used) = (begin.elapsed(), processor_time().saturating_sub(before));
    serving.abort();
    let rate = u128::from(all) * 1_000_000 / took.as_micros();
    let arrived = receiver.count();
    println!(
        "{EVENTS} events, {LANES} lanes: {rate} per second, {arrived} requests, {used:?} of processor time in {took:?}"
    );
}

async fn measure_rest(name: &str, database: Arc<dyn Database>) {
    for number in 0..TENANTS {
        let tenant = build::tenant(&format!("t{number:04}"));
        database.insert_tenant(&tenant, &[]).await.unwrap();
        let data = database.tenant(&tenant.id);
        for id in 0..WEBHOOKS_OF_TENANT {
            data.write(AddWebhook(webhook(&format!("wh_{id}")))).await.unwrap();
        }
    }
    let serving = tokio::spawn(serve(process(database).await));
    // The first looks come within some seconds.
    sleep(Duration::from_secs(15)).await;
    let before = processor_time();
    sleep(REST).await;
    let used = processor_time().saturating_sub(before);
    serving.abort();
    let per_mille = used.as_micros() * 1_000 / REST.as_micros();
    println!(
        "{name}: {TENANTS} tenants of {WEBHOOKS_OF_TENANT} webhooks at rest: {used:?} in {REST:?}, {}.{} % of a core",
        per_mille / 10,
        per_mille % 10
    );
}

/// Of this process, with the thread of the receiver.
fn processor_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let fields: Vec<&str> = stat.rsplit_once(')').unwrap().1.split_whitespace().collect();
    let ticks: u64 = fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap();
    Duration::from_millis(ticks * 10)
}
