//! The questions of load balancers and supervisors.

use std::time::Duration;

use pointbook_testkit::Fault;

use crate::server::Server;

#[tokio::test]
async fn a_process_is_alive_and_ready() {
    let server = Server::start().await;
    let mut client = server.client().await;
    for path in ["/healthz", "/readyz"] {
        let answer = client.get(path).await;
        assert_eq!((answer.status, &*answer.body), (200, "{\"status\":\"ok\"}"));
        assert_eq!(answer.header("content-type").as_deref(), Some("application/json"));
        assert_eq!(client.ask("HEAD", path, &[]).await.header("content-length").as_deref(), Some("15"));
        assert_eq!(client.ask("POST", path, &[]).await.header("allow").as_deref(), Some("GET, HEAD"));
    }
}

/// From here on, what the database said before is forgotten.
async fn forget() {
    tokio::time::advance(Duration::from_millis(200)).await;
}

#[tokio::test(start_paused = true)]
async fn without_a_database_it_is_alive_and_not_ready() {
    let server = Server::start().await;
    let mut client = server.client().await;
    for fault in [Fault::Fail, Fault::Unavailable] {
        server.database.fail_ping(Some(fault));
        client.get("/readyz").await.assert_error(503, "Service Unavailable");
        assert_eq!(client.get("/healthz").await.status, 200);
        forget().await;
    }
    server.database.fail_ping(None);
    assert_eq!(client.get("/readyz").await.status, 200);
}

#[tokio::test(start_paused = true)]
async fn the_database_is_asked_at_most_every_200_milliseconds() {
    let server = Server::start().await;
    let mut client = server.client().await;
    assert_eq!(client.get("/readyz").await.status, 200);
    server.database.fail_ping(Some(Fault::Fail));
    tokio::time::advance(Duration::from_millis(199)).await;
    assert_eq!(client.get("/readyz").await.status, 200);
    tokio::time::advance(Duration::from_millis(1)).await;
    assert_eq!(client.get("/readyz").await.status, 503);
    server.database.fail_ping(None);
    assert_eq!(client.get("/readyz").await.status, 503);
}

#[tokio::test(start_paused = true)]
async fn a_database_that_hangs_is_not_waited_for() {
    let server = Server::start().await;
    server.database.fail_ping(Some(Fault::Hang));
    let started = tokio::time::Instant::now();
    server.client().await.get("/readyz").await.assert_error(503, "Service Unavailable");
    assert_eq!(started.elapsed().as_millis(), 1_000);
}
