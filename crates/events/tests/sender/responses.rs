//! Responses that are no success, and receivers that misbehave.

use std::time::Duration;

use bytes::Bytes;
use pointbook_domain::WebhookSecret;
use pointbook_events::webhooks::sender::{ErrorClass, Message, Outcome, SenderOptions, SigningSecrets};
use tokio::io::AsyncReadExt;
use tokio::net::TcpListener;
use tokio::time::timeout;

use crate::receiver::{OK, Reaction, Receiver};
use crate::support::{KEY, NOW, Names, impatient, loopback, send, sender, sender_with};

fn empty(status: &str, headers: &str) -> String {
    format!("HTTP/1.1 {status} x\r\n{headers}content-length: 0\r\n\r\n")
}

async fn error_after(reaction: Reaction, options: SenderOptions) -> Option<ErrorClass> {
    let receiver = Receiver::start(&[reaction]).await;
    let sender = sender_with(Names::giving(&[]), options);
    let attempt = send(&sender, &receiver.url(), &loopback()).await;
    assert_eq!((attempt.status, attempt.outcome), (None, Outcome::Failed));
    attempt.error
}

#[tokio::test]
async fn redirect_is_a_failure_and_is_not_followed() {
    let other = Receiver::responding(OK).await;
    let sender = sender(Names::giving(&[]));
    for status in ["301", "302", "303", "307", "308"] {
        for target in ["http://169.254.169.254/latest/meta-data/", &other.url(), "/again"] {
            let location = format!("location: {target}\r\n");
            let receiver = Receiver::responding(&empty(status, &location)).await;
            let attempt = send(&sender, &receiver.url(), &loopback()).await;
            assert_eq!(attempt.status.map(|found| found.to_string()).as_deref(), Some(status));
            assert_eq!((attempt.error, attempt.outcome), (Some(ErrorClass::Redirect), Outcome::Failed));
            assert_eq!(receiver.requests().len(), 1);
        }
    }
    assert_eq!(other.connections(), 0);
}

#[tokio::test]
async fn status_decides_what_follows() {
    let after = |seconds| Outcome::Retry { after: Duration::from_secs(seconds) };
    // A minute after `NOW`.
    let date = "retry-after: Tue, 14 Nov 2023 22:14:20 GMT\r\n";
    let sender = sender(Names::giving(&[]));
    for (status, headers, expected) in [
        ("204", "", Outcome::Delivered),
        ("410", "", Outcome::SwitchedOff),
        ("429", "retry-after: 120\r\n", after(120)),
        ("503", date, after(60)),
        ("500", "retry-after: 120\r\n", Outcome::Failed),
    ] {
        let receiver = Receiver::responding(&empty(status, headers)).await;
        let attempt = send(&sender, &receiver.url(), &loopback()).await;
        assert_eq!(attempt.outcome, expected, "{status} {headers}");
    }
}

#[tokio::test]
async fn receiver_that_hangs_is_left_after_the_timeout() {
    let receiver = Receiver::start(&[Reaction::Hang]).await;
    let sender = sender_with(Names::giving(&[]), impatient());
    let attempt = send(&sender, &receiver.url(), &loopback()).await;
    assert_eq!((attempt.error, attempt.outcome), (Some(ErrorClass::Timeout), Outcome::Failed));
    assert!(attempt.duration >= impatient().timeout);
    receiver.ended(1).await;
}

/// The system's buffers take only a part of the body.
#[tokio::test]
async fn request_that_is_not_read_ends_with_the_timeout() {
    const BODY_BYTES: usize = 64 * 1_024 * 1_024;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let sender = sender_with(Names::giving(&[]), impatient());
    let current = WebhookSecret::from_bytes(KEY);
    let secrets = SigningSecrets { current: &current, previous: None };
    let body = Bytes::from(vec![b'1'; BODY_BYTES]);
    let message = Message { url: &url, id: "evt_1_42", timestamp_seconds: NOW, body, secrets };
    let attempt = sender.send(&message, &loopback()).await.unwrap();
    assert_eq!(attempt.error, Some(ErrorClass::Timeout));
    let (mut stream, _) = listener.accept().await.unwrap();
    let mut received = Vec::new();
    // A reset is an end, too.
    let _ = timeout(Duration::from_secs(20), stream.read_to_end(&mut received)).await.expect("it ends");
    assert!(received.len() < BODY_BYTES, "{} bytes", received.len());
}

#[tokio::test]
async fn head_that_trickles_is_left_after_the_timeout() {
    for (first, rest) in [
        ("HTTP/1.1 200 ", "O"),
        ("HTTP/1.1 200 OK\r\n", "a: b\r\n"),
        ("HTTP/1.1 200 OK\r\na: ", "b"),
        ("", "HTTP/1.1 100 Continue\r\n\r\n"),
    ] {
        let error = error_after(Reaction::Trickle(first.to_owned(), rest.to_owned()), impatient()).await;
        assert_eq!(error, Some(ErrorClass::Timeout), "{first}{rest}");
    }
}

#[tokio::test]
async fn endless_or_huge_head_is_an_invalid_response() {
    let long_value = format!("HTTP/1.1 200 OK\r\na: {}\r\n\r\n", "b".repeat(64 * 1_024));
    let many = format!("HTTP/1.1 200 OK\r\n{}\r\n", "a: b\r\n".repeat(10_000));
    let long_reason = format!("HTTP/1.1 200 {}\r\n\r\n", "b".repeat(64 * 1_024));
    for head in [long_value, many, long_reason] {
        assert_eq!(
            error_after(Reaction::Respond(head), SenderOptions::default()).await,
            Some(ErrorClass::Response)
        );
    }
}

#[tokio::test]
async fn what_is_not_http_is_an_invalid_response() {
    for text in
        ["", "hello\r\n\r\n", "HTTP/1.1 abc OK\r\n\r\n", "HTTP/3.0 200 OK\r\n\r\n", "\u{16}\u{3}\u{1}"]
    {
        let error = error_after(Reaction::RespondAndClose(text.to_owned()), SenderOptions::default()).await;
        assert_eq!(error, Some(ErrorClass::Response), "{text:?}");
    }
    assert_eq!(error_after(Reaction::Close, SenderOptions::default()).await, Some(ErrorClass::Response));
}

/// The port is taken at another address, so no other test listens there.
#[tokio::test]
async fn closed_port_is_a_connect_error() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://127.0.0.9:{}/", listener.local_addr().unwrap().port());
    let attempt = send(&sender(Names::giving(&[])), &url, &loopback()).await;
    assert_eq!((attempt.error, attempt.status), (Some(ErrorClass::Connect), None));
}

/// The head is enough. The sender closes the connection and reads no more of the body.
#[tokio::test]
async fn body_without_an_end_does_not_hold_the_sender() {
    let chunked = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
    let long = "HTTP/1.1 200 OK\r\ncontent-length: 1000000000\r\n\r\n";
    let until_close = "HTTP/1.1 200 OK\r\n\r\n";
    for (head, rest) in [(chunked, "1\r\na\r\n"), (long, "a"), (until_close, "a")] {
        let receiver = Receiver::start(&[Reaction::Trickle(head.to_owned(), rest.to_owned())]).await;
        let sender = sender(Names::giving(&[]));
        let url = receiver.url();
        let policy = loopback();
        let sent = timeout(Duration::from_secs(20), send(&sender, &url, &policy)).await;
        assert_eq!(sent.expect("the body is cut off").outcome, Outcome::Delivered, "{head}");
        receiver.ended(1).await;
    }
}

#[tokio::test]
async fn cookie_is_not_kept() {
    let receiver = Receiver::responding(&empty("200", "set-cookie: a=b\r\n")).await;
    let sender = sender(Names::giving(&[]));
    for _ in 0..2 {
        send(&sender, &receiver.url(), &loopback()).await;
    }
    let heads = receiver.requests().iter().map(|request| request.head.clone()).collect::<Vec<_>>();
    assert_eq!(heads.len(), 2);
    assert_eq!(heads.first(), heads.last());
    assert!(!heads.concat().to_lowercase().contains("cookie"));
}
