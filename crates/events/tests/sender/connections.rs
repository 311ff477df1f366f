//! Connections that are kept for the next request.

use std::time::Duration;

use pointbook_events::webhooks::sender::{Outcome, Sender, SenderOptions};

use crate::receiver::{OK, Reaction, Receiver};
use crate::support::{Names, loopback, send, sender, sender_with};

async fn deliver(sender: &Sender, receiver: &Receiver, times: usize) {
    for _ in 0..times {
        assert_eq!(send(sender, &receiver.url(), &loopback()).await.outcome, Outcome::Delivered);
    }
}

#[tokio::test]
async fn connection_is_used_again() {
    let chunked = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n";
    let failed = "HTTP/1.1 500 Internal Server Error\r\ncontent-length: 2\r\n\r\nno";
    for response in [OK, chunked, failed, "HTTP/1.1 204 No Content\r\n\r\n"] {
        let receiver = Receiver::responding(response).await;
        let sender = sender(Names::giving(&[]));
        for _ in 0..20 {
            assert!(send(&sender, &receiver.url(), &loopback()).await.status.is_some());
        }
        assert_eq!((receiver.connections(), receiver.requests().len()), (1, 20), "{response}");
    }
}

#[tokio::test]
async fn long_body_ends_the_connection() {
    let long = format!("HTTP/1.1 200 OK\r\ncontent-length: 9000\r\n\r\n{}", "a".repeat(9_000));
    let chunk = format!("1000\r\n{}\r\n", "a".repeat(4_096));
    let chunked =
        format!("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n{}0\r\n\r\n", chunk.repeat(3));
    let close = "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 0\r\n\r\n".to_owned();
    for response in [long, chunked, close] {
        let receiver = Receiver::responding(&response).await;
        deliver(&sender(Names::giving(&[])), &receiver, 3).await;
        assert_eq!(receiver.connections(), 3);
    }
}

/// The receiver closes after each response, and the sender may learn of it only when it sends the next request.
#[tokio::test]
async fn loss_of_a_kept_connection_is_no_failure() {
    let receiver = Receiver::start(&[Reaction::RespondAndClose(OK.to_owned())]).await;
    deliver(&sender(Names::giving(&[])), &receiver, 50).await;
    assert_eq!(receiver.requests().len(), 50);
}

/// The receiver has read the second request when it closes, so the sender sends it again with the same id.
#[tokio::test]
async fn request_on_a_lost_connection_is_sent_once_more() {
    let ok = || Reaction::Respond(OK.to_owned());
    let receiver = Receiver::start(&[ok(), Reaction::Close, ok()]).await;
    deliver(&sender(Names::giving(&[])), &receiver, 2).await;
    let ids: Vec<_> = receiver.requests().iter().map(|request| request.header("webhook-id")).collect();
    assert_eq!((receiver.connections(), ids), (2, vec!["evt_1_42".to_owned(); 3]));
}

#[tokio::test]
async fn full_pool_drops_the_longest_idle_connection() {
    let options = SenderOptions { idle_connections_max: 2, ..SenderOptions::default() };
    let sender = sender_with(Names::giving(&[]), options);
    let mut receivers = Vec::new();
    for _ in 0..3 {
        let receiver = Receiver::responding(OK).await;
        deliver(&sender, &receiver, 1).await;
        receivers.push(receiver);
    }
    receivers[0].ended(1).await;
    for receiver in receivers.iter().skip(1) {
        deliver(&sender, receiver, 1).await;
        assert_eq!(receiver.connections(), 1);
    }
}

/// No further request is needed to close it.
#[tokio::test]
async fn idle_connection_is_closed() {
    let options = SenderOptions { idle_timeout: Duration::from_millis(50), ..SenderOptions::default() };
    let sender = sender_with(Names::giving(&[]), options);
    let receiver = Receiver::responding(OK).await;
    deliver(&sender, &receiver, 1).await;
    receiver.ended(1).await;
    deliver(&sender, &receiver, 1).await;
    assert_eq!(receiver.connections(), 2);
}

#[tokio::test]
async fn connections_end_with_their_sender() {
    let receiver = Receiver::responding(OK).await;
    let sender = sender(Names::giving(&[]));
    deliver(&sender, &receiver, 1).await;
    drop(sender);
    receiver.ended(1).await;
}

/// A connection belongs to one host: another host on the same address may be another receiver, with another certificate.
#[tokio::test]
async fn connection_is_not_shared_between_hosts() {
    let receiver = Receiver::responding(OK).await;
    let sender = sender(Names::giving(&[&["127.0.0.1"]]));
    for host in ["a.example", "b.example", "a.example"] {
        let attempt = send(&sender, &receiver.url_of("http", host), &loopback()).await;
        assert_eq!(attempt.outcome, Outcome::Delivered);
    }
    assert_eq!(receiver.connections(), 2);
}
