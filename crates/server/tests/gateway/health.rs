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

/// What the background job of a server does.
async fn check(server: &Server) {
    server.service.check_database(Duration::from_secs(1)).await;
}

#[tokio::test]
async fn without_a_database_and_without_a_catalogue_it_is_alive_and_not_ready() {
    let server = Server::start().await;
    let mut client = server.client().await;
    for fault in [Fault::Fail, Fault::Unavailable] {
        server.database.fail_ping(Some(fault));
        check(&server).await;
        for path in ["/readyz", "/readyz/writes"] {
            client.get(path).await.assert_error(503, "Service Unavailable");
        }
        assert_eq!(client.get("/healthz").await.status, 200);
    }
    server.database.fail_ping(None);
    check(&server).await;
    for path in ["/readyz", "/readyz/writes"] {
        assert_eq!(client.get(path).await.body, "{\"status\":\"ok\"}");
    }
}

#[tokio::test]
async fn a_probe_asks_no_database() {
    let server = Server::start().await;
    server.database.fail_ping(Some(Fault::Hang));
    assert_eq!(server.client().await.get("/readyz").await.status, 200);
}

#[tokio::test(start_paused = true)]
async fn a_silent_database_is_away_before_it_is_known_why() {
    let server = Server::start().await;
    server.database.fail_ping(Some(Fault::Hang));
    let started = tokio::time::Instant::now();
    tokio::select! {
        () = check(&server) => panic!("the database responded"),
        () = tokio::time::sleep(Duration::from_millis(999)) => {}
    }
    assert!(!server.service.health.is_away(), "it has a second");
    check(&server).await;
    assert!(server.service.health.is_away());
    assert_eq!(started.elapsed().as_secs(), 61, "the question is asked anew after a minute");
}
