//! Names whose addresses change.

use std::sync::Arc;

use pointbook_events::webhooks::sender::{
    AddressPolicy, ErrorClass, Outcome, Refusal, RefusedBecause, RefusedHost, Resolve, RootCertStore, Scheme,
    Sender, SenderOptions, SystemResolver,
};

use crate::receiver::{OK, Reaction, Receiver};
use crate::support::{Names, RESOLVE_TIMEOUT, loopback, send, sender};

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
    assert_eq!(sender.check(&url, &policy, RESOLVE_TIMEOUT).await, Ok(()));
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
        let (host, because) = ("a.example".to_owned(), RefusedBecause::Unresolved);
        let expected = Refusal::Host(RefusedHost { host, scheme: Scheme::Https, because });
        assert_eq!(sender.check(url, &AddressPolicy::default(), RESOLVE_TIMEOUT).await, Err(expected));
        assert_eq!(send(&sender, url, &AddressPolicy::default()).await.error, Some(ErrorClass::Address));
    }
}

#[tokio::test(start_paused = true)]
async fn slow_resolver_is_given_up_in_time() {
    struct Slow;
    #[async_trait::async_trait]
    impl Resolve for Slow {
        async fn resolve(&self, _: &str) -> std::io::Result<Vec<std::net::IpAddr>> {
            std::future::pending().await
        }
    }
    let sender = Sender::new(SenderOptions::default(), RootCertStore::empty(), Arc::new(Slow)).unwrap();
    let started = tokio::time::Instant::now();
    let refusal = sender.check("https://a.example/", &AddressPolicy::default(), RESOLVE_TIMEOUT).await;
    assert!(matches!(refusal, Err(Refusal::Host(_))), "{refusal:?}");
    assert_eq!(started.elapsed().as_secs(), RESOLVE_TIMEOUT.as_secs());
    let started = tokio::time::Instant::now();
    let attempt = send(&sender, "https://a.example/", &AddressPolicy::default()).await;
    assert_eq!((attempt.error, started.elapsed().as_secs()), (Some(ErrorClass::Timeout), 15));
}

#[tokio::test]
async fn resolver_of_the_system_knows_localhost() {
    let found = SystemResolver.resolve("localhost").await.unwrap();
    assert!(!found.is_empty() && found.iter().all(std::net::IpAddr::is_loopback), "{found:?}");
    let sender =
        Sender::new(SenderOptions::default(), RootCertStore::empty(), Arc::new(SystemResolver)).unwrap();
    let refusal = sender.check("https://localhost/", &AddressPolicy::default(), RESOLVE_TIMEOUT).await;
    assert!(matches!(refusal, Err(Refusal::Host(_))), "{refusal:?}");
}
