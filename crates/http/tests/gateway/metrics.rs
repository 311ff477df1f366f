//! What operators measure.

use pointbook_http::serve_metrics;
use pointbook_http_kernel::install_metrics;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use crate::client::Client;
use crate::server::{HELLO, Server, WAIT};

#[tokio::test]
async fn requests_are_counted_and_timed_by_route_method_and_status() {
    let handle = install_metrics().unwrap();
    let server = Server::start().await;
    let mut client = server.client().await;
    // Only this test of this process sends PATCH.
    for _ in 0..3 {
        client.ask("PATCH", HELLO, &[]).await;
    }
    let text = handle.render();
    let labels = "{route=\"none\",method=\"PATCH\",status=\"405\"";
    assert!(text.contains(&format!("pointbook_http_requests_total{labels}}} 3\n")), "{text}");
    assert!(text.contains(&format!("pointbook_http_request_duration_seconds_count{labels}}} 3\n")));
    let bucket = format!("pointbook_http_request_duration_seconds_bucket{labels},le=");
    assert_eq!(text.matches(&bucket).count(), 19);
    assert!(text.contains("pointbook_http_connections "));
    assert!(text.contains("pointbook_http_requests_in_flight "));
}

#[tokio::test(start_paused = true)]
async fn a_request_out_of_time_counts_for_its_route() {
    let handle = install_metrics().unwrap();
    let server = Server::start().await;
    assert_eq!(server.client().await.get(WAIT).await.status, 503);
    let series = "pointbook_http_requests_total{route=\"test.wait\",method=\"GET\",status=\"503\"}";
    assert!(handle.render().contains(series));
}

#[tokio::test]
async fn a_made_up_method_counts_as_other() {
    let handle = install_metrics().unwrap();
    let server = Server::start().await;
    server.client().await.ask("BREW", HELLO, &[]).await;
    let text = handle.render();
    assert!(text.contains("method=\"other\""));
    assert!(!text.contains("BREW"));
}

#[tokio::test]
async fn bytes_that_are_no_request_are_counted() {
    let handle = install_metrics().unwrap();
    let mut server = Server::start().await;
    let mut client = server.client().await;
    client.send("no request\r\n\r\n").await;
    assert_eq!(client.answer(true).await.status, 400);
    // They count when their connection ends.
    drop(client);
    server.stop();
    server.ended().await;
    assert!(
        handle
            .render()
            .contains("pointbook_http_requests_total{route=\"none\",method=\"none\",status=\"400\"}")
    );
}

#[tokio::test]
async fn metrics_have_a_listener_of_their_own() {
    let handle = install_metrics().unwrap();
    let server = Server::start().await;
    assert_eq!(server.client().await.get("/metrics").await.status, 404);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel::<()>();
    let task = tokio::spawn(serve_metrics(listener, handle, || "more 1\n".to_owned(), async {
        drop(stopped.await);
    }));
    let mut client = Client::connect(address).await;
    let answer = client.get("/metrics").await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("content-type").as_deref(), Some("text/plain; version=0.0.4; charset=utf-8"));
    assert!(answer.body.contains("# TYPE pointbook_http_requests_total counter"));
    assert_eq!(client.ask("POST", "/metrics", &[]).await.status, 405);
    assert!(answer.body.ends_with("more 1\n"), "{}", answer.body);
    let hint = client.get("/").await;
    assert_eq!((hint.status, hint.body.contains("/metrics")), (200, true));
    assert_eq!(client.get("/other").await.status, 404);
    drop(stop);
    assert_eq!(client.rest().await, "");
    task.await.unwrap();
}
