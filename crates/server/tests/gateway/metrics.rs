//! What operators measure.

use pointbook_http::kernel::install_metrics;
use pointbook_http::site::serve_metrics;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use crate::client::Client;
use crate::server::{HELLO, Server};

#[tokio::test]
async fn requests_are_counted_and_timed_by_route_method_and_status() {
    let handle = install_metrics().unwrap();
    let server = Server::start().await;
    let mut client = server.client().await;
    // Only this test of this process sends PATCH.
    for _ in 0..3 {
        client.ask("PATCH", HELLO, &[]).await;
    }
    client.ask("BREW", HELLO, &[]).await;
    let text = handle.render();
    let labels = "{route=\"none\",method=\"PATCH\",status=\"405\"";
    assert!(text.contains(&format!("pointbook_http_requests_total{labels}}} 3\n")), "{text}");
    assert!(text.contains(&format!("pointbook_http_request_duration_seconds_count{labels}}} 3\n")));
    let bucket = format!("pointbook_http_request_duration_seconds_bucket{labels},le=");
    assert_eq!(text.matches(&bucket).count(), 19);
    assert!(text.contains("method=\"other\"") && !text.contains("BREW"), "{text}");
    assert!(text.contains("pointbook_http_connections "));
    assert!(text.contains("pointbook_http_requests_in_flight "));
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
