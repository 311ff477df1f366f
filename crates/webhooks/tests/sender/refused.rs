//! Each way to name an internal address is refused when the endpoint is created and at each attempt.

use pointbook_webhooks::{
    AddressPolicy, ErrorClass, Outcome, Refusal, RefusedBecause, RefusedHost, UrlError,
};

use crate::receiver::Receiver;
use crate::support::{Names, RESOLVE_TIMEOUT, loopback, send, sender};

/// Hosts that are addresses, in all forms that a URL parser takes for one.
const HOSTS: &[&str] = &[
    "0.0.0.0",
    "0",
    "0.1.2.3",
    "10.0.0.1",
    "10.255.255.255",
    "012.0.0.1",
    "0xa.0.0.1",
    "167772161",
    "10.1",
    "100.64.0.1",
    "100.100.100.200",
    "127.0.0.1",
    "127.0.0.1.",
    "127.1",
    "127.0.1",
    "0177.0.0.1",
    "0x7f.0.0.1",
    "0x7f000001",
    "0x7F.1",
    "017700000001",
    "2130706433",
    "127.255.255.254",
    "①②⑦.0.0.1",
    "127。0。0。1",
    "%31%32%37.0.0.1",
    "168.63.129.16",
    "169.254.169.254",
    "169.254.170.2",
    "0xa9fea9fe",
    "2852039166",
    "0251.0376.0251.0376",
    "169.16689662",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.192",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.0.1",
    "192.168.1",
    "198.18.0.1",
    "198.19.255.255",
    "198.51.100.7",
    "203.0.113.9",
    "224.0.0.1",
    "239.255.255.250",
    "240.0.0.1",
    "255.255.255.255",
    "0xffffffff",
    "[::]",
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "[::127.0.0.1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::ffff:169.254.169.254]",
    "[::ffff:1.1.1.1]",
    "[::ffff:0:10.0.0.1]",
    "[64:ff9b::10.0.0.1]",
    "[64:ff9b::a9fe:a9fe]",
    "[64:ff9b:1::a00:1]",
    "[100::1]",
    "[2001::1]",
    "[2001:0:7f00:1::]",
    "[2001:2::1]",
    "[2001:10::1]",
    "[2001:20::1]",
    "[2001:db8::1]",
    "[2002:a00:1::]",
    "[2002:7f00:1::1]",
    "[2002:a9fe:a9fe::1]",
    "[3fff::1]",
    "[4000::1]",
    "[5f00::1]",
    "[fc00::1]",
    "[fd00:ec2::254]",
    "[fd20:ce::254]",
    "[fe80::1]",
    "[fec0::1]",
    "[ff02::1]",
    "[ffff:ffff::1]",
];

/// URLs that the sender refuses as strings.
const FORMS: &[(&str, UrlError)] = &[
    ("http://1.1.1.1/", UrlError::Scheme),
    ("http://localhost/", UrlError::Scheme),
    ("ftp://1.1.1.1/", UrlError::Scheme),
    ("file:///etc/passwd", UrlError::Scheme),
    ("gopher://127.0.0.1:6379/_INFO", UrlError::Scheme),
    ("https:1.1.1.1", UrlError::Scheme),
    ("https://localhost./", UrlError::Host),
    ("https://metadata.google.internal./", UrlError::Host),
    ("https://[fe80::1%25eth0]/", UrlError::Host),
    ("https://[fe80::1%eth0]/", UrlError::Host),
    ("https://[::1/", UrlError::Host),
    ("https://1.1.1.1.1/", UrlError::Host),
    ("https:///127.0.0.1/", UrlError::Host),
    ("https://1.1.1.1@127.0.0.1/", UrlError::UserInfo),
    ("https://a.example:443@127.0.0.1/", UrlError::UserInfo),
    ("https://127.0.0.1#@a.example/", UrlError::Fragment),
    ("https://a.example\\@127.0.0.1/", UrlError::Characters),
    ("https://127.0.0.1\t.a.example/", UrlError::Characters),
    ("https://a.example/\r\nhost: b", UrlError::Characters),
    ("https://a.example:22/", UrlError::Port),
    ("https://a.example:0/", UrlError::Port),
];

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
    assert!(HOSTS.len() + FORMS.len() + LISTS.len() >= 60);
    let sender = sender(Names::giving(&[]));
    let policy = AddressPolicy::default();
    for host in HOSTS {
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
    for (url, expected) in FORMS {
        assert_eq!(
            sender.check(url, &policy, RESOLVE_TIMEOUT).await,
            Err(Refusal::Url(*expected)),
            "{url:?}"
        );
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
async fn global_address_is_allowed() {
    let sender = sender(Names::giving(&[&["1.1.1.1", "2606:4700::1111"]]));
    for url in
        ["https://a.example/", "https://a.example:8443/b?c", "https://1.1.1.1/", "https://[2606:4700::1111]/"]
    {
        assert_eq!(sender.check(url, &AddressPolicy::default(), RESOLVE_TIMEOUT).await, Ok(()), "{url}");
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

#[tokio::test]
async fn plain_http_goes_to_loopback_alone() {
    for list in [&["1.1.1.1"][..], &["10.0.0.1"], &["127.0.0.1", "1.1.1.1"], &["::ffff:127.0.0.1"]] {
        let sender = sender(Names::giving(&[list]));
        let refusal = sender.check("http://a.example/", &loopback(), RESOLVE_TIMEOUT).await.unwrap_err();
        let is_expected = matches!(because(&refusal), Some(RefusedBecause::HttpBeyondLoopback { .. }));
        assert!(is_expected, "{list:?}: {refusal}");
    }
    let sender = sender(Names::giving(&[&["127.0.0.1", "::1"]]));
    assert_eq!(sender.check("http://localhost:8080/", &loopback(), RESOLVE_TIMEOUT).await, Ok(()));
}
