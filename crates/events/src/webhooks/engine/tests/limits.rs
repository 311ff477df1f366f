//! Tests of what a process bounds, and of its stop.

use std::collections::HashMap;

use pointbook_testkit::sqlite;
use tokio::sync::{Notify, Semaphore};

use super::*;
use crate::webhooks::deliver::tests::fixture::instance;

/// 20 tenants have 5 webhooks each. No receiver responds until the requests of the first webhooks are there. Beyond 56 of 64, some tenant may
/// have to leave the rest free.
#[tokio::test]
async fn a_process_delivers_to_64_webhooks_at_most_and_to_4_of_a_tenant_at_a_time() {
    let responses = Arc::new(Semaphore::new(0));
    let gate = responses.clone();
    let receiver = Receiver::start(move |_| {
        let gate = gate.clone();
        async move {
            drop(gate.acquire().await.unwrap());
            "200 OK"
        }
    })
    .await;
    let names: Vec<_> = (0..20).map(|number| format!("t{number:02}")).collect();
    let store = sqlite::database_of(names.iter().map(|name| build::tenant(name))).await;
    let clock = Arc::new(pointbook_testkit::FixedClock::new(noon()));
    let deliveries = Arc::new(instance(&store.database, &clock, "one").await);
    for (name, served) in names.iter().zip(deliveries.service.directory().tenants()) {
        for number in 0..5 {
            let url = format!("{}/{name}", receiver.url());
            served.data.write(AddWebhook(Webhook { url, ..webhook(&format!("wh_{number}")) })).await.unwrap();
        }
        add_users(&*served.data, ["a"]).await;
    }
    let serving = tokio::spawn(serve(deliveries));
    receiver.arrived(56).await;
    // Enough time for a 65th.
    let more = tokio::time::timeout(Duration::from_millis(300), receiver.arrived(65)).await;
    assert!(more.is_err(), "{}", receiver.requests().len());
    let mut of_tenant = HashMap::<String, u32>::new();
    for request in receiver.requests() {
        *of_tenant.entry(request.path).or_default() += 1;
    }
    assert!(of_tenant.values().all(|count| *count <= 4), "{of_tenant:?}");
    responses.add_permits(Semaphore::MAX_PERMITS);
    receiver.arrived(100).await;
    serving.abort();
}

/// A stop begins no event, waits for the request that runs, stores the cursor and gives the lease back.
#[tokio::test]
async fn a_stop_ends_after_the_running_request() {
    for (within, expected) in [(Duration::from_mins(1), 1), (Duration::from_millis(100), 0)] {
        let response = Arc::new(Notify::new());
        let waiting = response.clone();
        let receiver = Receiver::start(move |_| {
            let waiting = waiting.clone();
            async move {
                waiting.notified().await;
                "200 OK"
            }
        })
        .await;
        let fixture = Fixture::new(receiver).await;
        fixture.add_users(["a", "b", "c"]).await;
        let Fixture { receiver, served, deliveries, .. } = fixture;
        let deliveries = Arc::new(deliveries);
        let serving = tokio::spawn(serve(deliveries.clone()));
        receiver.arrived(1).await;
        deliveries.stop(within);
        if expected == 1 {
            response.notify_one();
        }
        tokio::time::timeout(Duration::from_secs(20), serving).await.unwrap().unwrap();
        let progress = crate::webhooks::manage::find_progress(&*served.data, "wh_1").await.unwrap().unwrap();
        assert_eq!((progress.position, progress.lease_owner, progress.failures), (expected, None, 0));
        assert_eq!(receiver.ids(), ["evt_1_1"]);
    }
}
