//! Names whose addresses change.

use std::sync::Arc;

use pointbook_webhooks::{
    AddressPolicy, ErrorClass, Outcome, Refusal, Resolve, RootCertStore, Sender, SenderOptions,
    SystemResolver,
};

use crate::receiver::{OK, Reaction, Receiver};
use crate::support::{Names, loopback, send, sender};

/// Two receivers on one port and two addresses.
async fn two_receivers() -> (Receiver, Receiver) {
    for _ in 0..100 {
        let first = Receiver::responding(OK).await;
        let port = first.address.port();
        let is_free = std::net::TcpListener::bind(("127.0.0.2", port)).is_ok();
        if is_free {
            let address = format!("127.0.0.2:{port}");
            return (first, Receiver::start_at(&address, &[Reaction::Respond(OK.to_owned())]).await);
        }
    }
    panic!("127.0.0.2 is no address of this machine")
}

#[tokio::test]
async fn address_that_changes_after_creation_is_refused() {
    let receiver = Receiver::responding(OK).await;
    let sender = sender(Names::giving(&[&["1.1.1.1"], &["127.0.0.1"]]));
    let url = receiver.url_of("https", "a.example");
    let policy = AddressPolicy::default();
    assert_eq!(sender.check(&url, &policy).await, Ok(()));
    assert_eq!(send(&sender, &url, &policy).await.error, Some(ErrorClass::Address));
    assert_eq!(receiver.connections(), 0);
}

#[tokio::test]
async fn address_that_changes_between_check_and_connect_is_not_used() {
    let (checked, other) = two_receivers().await;
    let names = Names::giving(&[&["127.0.0.1"], &["127.0.0.2"]]);
    let sender = sender(names.clone());
    let attempt = send(&sender, &checked.url_of("http", "a.example"), &loopback()).await;
    assert_eq!(attempt.outcome, Outcome::Delivered);
    assert_eq!(names.calls(), 1, "a second lookup could give another address");
    assert_eq!((checked.connections(), other.connections()), (1, 0));
}

#[tokio::test]
async fn kept_connection_is_not_used_after_the_address_changed() {
    let (first, second) = two_receivers().await;
    let sender = sender(Names::giving(&[&["127.0.0.1"], &["127.0.0.2"], &["127.0.0.1"], &["10.0.0.1"]]));
    let url = first.url_of("http", "a.example");
    for _ in 0..3 {
        assert_eq!(send(&sender, &url, &loopback()).await.outcome, Outcome::Delivered);
    }
    assert_eq!(send(&sender, &url, &loopback()).await.error, Some(ErrorClass::Address));
    assert_eq!((first.connections(), first.requests().len()), (1, 2));
    assert_eq!((second.connections(), second.requests().len()), (1, 1));
}

#[tokio::test]
async fn kept_connection_is_not_used_after_the_policy_changed() {
    let receiver = Receiver::responding(OK).await;
    let sender = sender(Names::giving(&[&["127.0.0.1"]]));
    let url = receiver.url_of("http", "a.example");
    assert_eq!(send(&sender, &url, &loopback()).await.outcome, Outcome::Delivered);
    assert_eq!(send(&sender, &url, &AddressPolicy::default()).await.error, Some(ErrorClass::Url));
    assert_eq!(receiver.requests().len(), 1);
}

#[tokio::test]
async fn next_address_is_tried_when_one_does_not_accept() {
    let (first, _second) = two_receivers().await;
    let sender = sender(Names::giving(&[&["127.0.0.3", "127.0.0.1"]]));
    let attempt = send(&sender, &first.url_of("http", "a.example"), &loopback()).await;
    assert_eq!(attempt.outcome, Outcome::Delivered);
}

#[tokio::test]
async fn name_without_an_address_is_unresolved() {
    for names in [Names::giving(&[]), Names::giving(&[&[]])] {
        let sender = sender(names);
        let url = "https://a.example/";
        let expected = Refusal::Unresolved { host: "a.example".to_owned() };
        assert_eq!(sender.check(url, &AddressPolicy::default()).await, Err(expected));
        assert_eq!(send(&sender, url, &AddressPolicy::default()).await.error, Some(ErrorClass::Resolve));
    }
}

#[tokio::test]
async fn resolver_of_the_system_knows_localhost() {
    let found = SystemResolver.resolve("localhost").await.unwrap();
    assert!(!found.is_empty() && found.iter().all(std::net::IpAddr::is_loopback), "{found:?}");
    let sender =
        Sender::new(SenderOptions::default(), RootCertStore::empty(), Arc::new(SystemResolver)).unwrap();
    let refusal = sender.check("https://localhost/", &AddressPolicy::default()).await;
    assert!(matches!(refusal, Err(Refusal::Address(_))), "{refusal:?}");
}
