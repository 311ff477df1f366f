//! Each way to name an internal address is refused when the endpoint is created and at each attempt.

use pointbook_events::webhooks::sender::{
    AddressPolicy, ErrorClass, Outcome, Refusal, RefusedBecause, RefusedHost, UrlError,
};

use crate::receiver::Receiver;
use crate::support::{Names, RESOLVE_TIMEOUT, send, sender};

/// Hosts that are addresses. `receiver_url` tests all forms that a URL parser takes for one.
const HOSTS: &str = "\
    0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.100.100.200 127.0.0.1 0x7f000001 \
    127.255.255.254 168.63.129.16 169.254.169.254 169.254.170.2 172.16.0.1 172.31.255.255 192.0.0.192 \
    192.0.2.1 192.88.99.1 192.168.0.1 198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.9 224.0.0.1 \
    239.255.255.250 240.0.0.1 255.255.255.255 [::] [::1] [0:0:0:0:0:0:0:1] [::127.0.0.1] \
    [::ffff:127.0.0.1] [::ffff:7f00:1] [::ffff:169.254.169.254] [::ffff:1.1.1.1] [::ffff:0:10.0.0.1] \
    [64:ff9b::10.0.0.1] [64:ff9b::a9fe:a9fe] [64:ff9b:1::a00:1] [100::1] [2001::1] [2001:0:7f00:1::] \
    [2001:2::1] [2001:10::1] [2001:20::1] [2001:db8::1] [2002:a00:1::] [2002:7f00:1::1] \
    [2002:a9fe:a9fe::1] [3fff::1] [4000::1] [5f00::1] [fc00::1] [fd00:ec2::254] [fd20:ce::254] [fe80::1] \
    [fec0::1] [ff02::1] [ffff:ffff::1]";

/// Addresses that a name may have.
const LISTS: &[&[&str]] = &[
    &["127.0.0.1"],
    &["::1"],
    &["169.254.169.254"],
    &["fd00:ec2::254"],
    &["::ffff:10.0.0.1"],
    &["1.1.1.1", "10.0.0.1"],
    &["10.0.0.1", "1.1.1.1"],
    &["2606:4700::1111", "1.1.1.1", "8.8.8.8", "9.9.9.9", "1.0.0.1", "fe80::1"],
    &["1.1.1.1", "64:ff9b::a00:1"],
];

fn because(refusal: &Refusal) -> Option<&RefusedBecause> {
    match refusal {
        Refusal::Host(RefusedHost { because, .. }) => Some(because),
        Refusal::Url(_) => None,
    }
}

#[tokio::test]
async fn address_in_any_form_is_refused() {
    let sender = sender(Names::giving(&[]));
    let policy = AddressPolicy::default();
    for host in HOSTS.split_whitespace() {
        let url = format!("https://{host}/");
        let refusal = sender.check(&url, &policy, RESOLVE_TIMEOUT).await.unwrap_err();
        assert!(matches!(because(&refusal), Some(RefusedBecause::Special { .. })), "{url}: {refusal}");
        assert!(refusal.to_string().contains("`webhooks.allow_networks`"), "{refusal}");
        let attempt = send(&sender, &url, &policy).await;
        assert_eq!((attempt.error, attempt.status), (Some(ErrorClass::Address), None), "{url}");
    }
}

#[tokio::test]
async fn url_in_an_unclear_form_is_refused() {
    let names = Names::giving(&[&["127.0.0.1"]]);
    let sender = sender(names.clone());
    let policy = AddressPolicy::default();
    for (url, expected) in [
        ("http://localhost/", UrlError::Scheme),
        ("https://localhost./", UrlError::Host),
        ("https://1.1.1.1@127.0.0.1/", UrlError::UserInfo),
        ("https://127.0.0.1#@a.example/", UrlError::Fragment),
        ("https://a.example/\r\nhost: b", UrlError::Characters),
        ("https://a.example:22/", UrlError::Port),
    ] {
        assert_eq!(sender.check(url, &policy, RESOLVE_TIMEOUT).await, Err(Refusal::Url(expected)), "{url:?}");
        let attempt = send(&sender, url, &policy).await;
        assert_eq!((attempt.error, attempt.outcome), (Some(ErrorClass::Url), Outcome::Failed), "{url:?}");
    }
    assert_eq!(names.calls(), 0, "the resolver sees no such host");
}

#[tokio::test]
async fn name_with_any_internal_address_is_refused() {
    let policy = AddressPolicy::default();
    for list in LISTS {
        for host in ["localhost", "LOCALHOST", "a.localhost", "localtest.example", "intranet"] {
            let sender = sender(Names::giving(&[list]));
            let url = format!("https://{host}/");
            let refusal = sender.check(&url, &policy, RESOLVE_TIMEOUT).await.unwrap_err();
            assert!(because(&refusal).is_some(), "{url} {list:?}: {refusal}");
            assert_eq!(send(&sender, &url, &policy).await.error, Some(ErrorClass::Address), "{url} {list:?}");
        }
    }
}

#[tokio::test]
async fn refused_address_gets_no_connection() {
    let receiver = Receiver::responding(crate::receiver::OK).await;
    let sender = sender(Names::giving(&[&["127.0.0.1"]]));
    let policy = AddressPolicy::default();
    for url in [receiver.url_of("https", "127.0.0.1"), receiver.url_of("https", "localhost"), receiver.url()]
    {
        assert!(sender.check(&url, &policy, RESOLVE_TIMEOUT).await.is_err());
        assert_eq!(send(&sender, &url, &policy).await.status, None);
    }
    assert_eq!(receiver.connections(), 0);
}
