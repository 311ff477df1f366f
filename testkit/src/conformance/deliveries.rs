//! Facts of the delivery of events, by processes that share a database.

use std::hash::RandomState;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use pointbook_domain::{Timestamp, Webhook, WebhookAttempt, WebhookProgress};
use pointbook_events::webhooks::{
    AddWebhook, AddressPolicy, Deliveries, LeaseState, Outbox, RemoveWebhook, TakeLease, serve, show_webhook,
};
use pointbook_points::members::put::ChangeUser;
use pointbook_store::ports::{Database, TenantData, read_all};
use pointbook_store::schema::Query;
use pointbook_store::{Actor, ServedTenant, Service, ServiceLimits};
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

use super::add_tenant;
use super::audit_log::write;
use crate::build::{noon, webhook};
use crate::{FixedClock, OneSecret, Receiver, SequentialIds, build};

const OK: &str = "200 OK";

/// How long a fact waits for what must happen.
const PATIENCE: Duration = Duration::from_mins(1);

/// A process that delivers until it is stopped.
struct Process {
    served: Arc<ServedTenant>,
    deliveries: Arc<Deliveries>,
    serving: JoinHandle<()>,
}

impl Process {
    /// Takes the lease of another process after 300 ms without a change.
    async fn start(database: &Arc<dyn Database>, owner: &str, now: Timestamp) -> Self {
        let limits = ServiceLimits {
            principal_max_age_seconds: 0,
            principal_max_age_when_away_seconds: 0,
            refresh_interval_ms: 500,
            catalogue_bytes: 0,
        };
        let clock = Arc::new(FixedClock::new(now));
        let service = Service::open(database.clone(), clock, Arc::new(OneSecret), limits).await.unwrap();
        let served = service.directory().tenants()[0].clone();
        let outbox = Outbox::open(AddressPolicy::default().with_http_to_loopback()).unwrap();
        let (ids, random) = (Arc::new(SequentialIds::default()), RandomState::new());
        let deliveries = Deliveries::new(Arc::new(service), Arc::new(outbox), ids, owner.to_owned(), random)
            .with_lease_patience(Duration::from_millis(300));
        let deliveries = Arc::new(deliveries);
        Self { served, serving: tokio::spawn(serve(deliveries.clone())), deliveries }
    }

    /// Adds a user, and with it an event.
    async fn add_user(&self, user: &str) {
        let context = build::context::<()>(&self.served, Actor::CommandLine, noon());
        context.write(ChangeUser { change: build::user_change(user), now: noon() }).await.unwrap();
    }

    async fn stop(self) {
        self.deliveries.stop(PATIENCE);
        timeout(PATIENCE, self.serving).await.unwrap().unwrap();
    }
}

/// The tenant acme with the webhook `wh_1`, which sends to the receiver.
async fn with_webhook(database: &Arc<dyn Database>, receiver: &Receiver) -> Arc<dyn TenantData> {
    let data = add_tenant(database, "acme").await;
    write(&data, AddWebhook(Webhook { url: receiver.url(), ..webhook("wh_1") })).await;
    data
}

/// A receiver whose first request does something before its response.
async fn receiver_of<F: Future<Output = ()> + Send + 'static>(
    work: impl FnOnce() -> F + Send + 'static,
) -> Receiver {
    let work = Arc::new(Mutex::new(Some(work)));
    Receiver::start(move |_| {
        let begun = work.lock().unwrap().take().map(|work| work());
        async move {
            if let Some(begun) = begun {
                begun.await;
            }
            OK
        }
    })
    .await
}

/// The progress when it is as expected.
async fn wait_for(
    data: &Arc<dyn TenantData>,
    is_expected: impl Fn(&WebhookProgress) -> bool,
) -> WebhookProgress {
    let found = async {
        loop {
            let progress = show_webhook(&**data, "wh_1").await.unwrap().and_then(|status| status.progress);
            if let Some(progress) = progress.filter(|progress| is_expected(progress)) {
                return progress;
            }
            sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(PATIENCE, found).await.unwrap()
}

async fn attempts(data: &Arc<dyn TenantData>) -> Vec<WebhookAttempt> {
    let attempts = Query::of::<WebhookAttempt>("attempts", &["webhook_id", "slot"]);
    read_all(&**data, attempts).await.unwrap()
}

fn ids(positions: impl IntoIterator<Item = u64>) -> Vec<String> {
    positions.into_iter().map(|position| format!("evt_1_{position}")).collect()
}

/// Both processes write and deliver. Their clocks are five minutes apart. They store the progress and the attempts.
pub async fn two_processes_with_other_clocks_deliver_each_event_once(database: Arc<dyn Database>) {
    let receiver = Receiver::responding(&[OK]).await;
    let data = with_webhook(&database, &receiver).await;
    let one = Process::start(&database, "one", noon()).await;
    let two = Process::start(&database, "two", noon().plus_seconds(300)).await;
    for number in 0..40 {
        let process = if number % 2 == 0 { &one } else { &two };
        process.add_user(&format!("u{number}")).await;
        sleep(Duration::from_millis(number % 7)).await;
    }
    receiver.arrived(40).await;
    let progress = wait_for(&data, |progress| progress.position == 40).await;
    one.stop().await;
    two.stop().await;
    assert_eq!(receiver.ids(), ids(1..=40));
    assert_eq!((progress.delivered_count, progress.failed_count), (40, 0));
    let stored: Vec<_> = attempts(&data).await.iter().map(|attempt| attempt.position).collect();
    assert_eq!(stored, (1..=40).collect::<Vec<_>>());
}

/// Another process goes on when it has seen no change by the dead one for some time. Their clocks do not matter.
pub async fn a_dead_process_is_replaced(database: Arc<dyn Database>) {
    let receiver = Receiver::responding(&[OK]).await;
    let data = with_webhook(&database, &receiver).await;
    let seen = LeaseState::from(&WebhookProgress::begin(&webhook("wh_1"), None));
    let lease = TakeLease { webhook_id: "wh_1".to_owned(), owner: "dead".to_owned(), seen };
    assert!(write(&data, lease.clone()).await.is_some());
    assert!(write(&data, lease).await.is_none(), "it is not as it was seen");
    let begin = tokio::time::Instant::now();
    let process = Process::start(&database, "one", noon().plus_seconds(300)).await;
    process.add_user("a").await;
    receiver.arrived(1).await;
    assert!(begin.elapsed() >= Duration::from_millis(300));
    let progress = wait_for(&data, |progress| progress.lease_owner.is_none()).await;
    assert_eq!((progress.lease_number, progress.position), (2, 1));
    process.stop().await;
}

/// The rows of progress and attempts refer to the webhook. A run that has no webhook any more must not write them.
pub async fn a_removed_webhook_ends_its_delivery(database: Arc<dyn Database>) {
    let known = database.clone();
    let receiver = receiver_of(move || async move {
        let data = known.tenant(&build::tenant("acme").id);
        write(&data, RemoveWebhook("wh_1".to_owned())).await;
    })
    .await;
    let data = with_webhook(&database, &receiver).await;
    let process = Process::start(&database, "one", noon()).await;
    process.add_user("a").await;
    receiver.arrived(1).await;
    let other = Receiver::responding(&[OK]).await;
    write(&data, AddWebhook(Webhook { url: other.url(), ..webhook("wh_2") })).await;
    process.add_user("b").await;
    other.arrived(2).await;
    process.stop().await;
    assert_eq!(show_webhook(&*data, "wh_1").await.unwrap(), None);
    let progress = Query::of::<WebhookProgress>("progress", &["webhook_id"]);
    let progress: Vec<WebhookProgress> = read_all(&*data, progress).await.unwrap();
    assert_eq!(progress.iter().map(|row| row.webhook_id.as_str()).collect::<Vec<_>>(), ["wh_2"]);
    let attempts = attempts(&data).await;
    assert!(attempts.iter().all(|attempt| attempt.webhook_id == "wh_2") && attempts.len() == 2);
}
