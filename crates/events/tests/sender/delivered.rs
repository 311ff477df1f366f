//! What a receiver gets. The signature is computed here with the crates `hmac` and `sha2`, and the sender uses `ring`.

use std::process::Command;

use data_encoding::BASE64;
use hmac::{Hmac, KeyInit, Mac};
use pointbook_events::webhooks::sender::Outcome;
use sha2::Sha256;

use crate::receiver::{OK, Received, Receiver};
use crate::support::{BODY, KEY, NOW, Names, loopback, send, sender};

/// Whether one of the signatures is that of `key`, as a receiver finds out.
fn is_signed(request: &Received, key: &[u8]) -> bool {
    let head = format!("{}.{}.", request.header("webhook-id"), request.header("webhook-timestamp"));
    let signatures = request.header("webhook-signature");
    signatures.split(' ').any(|signature| {
        let encoded = signature.strip_prefix("v1,").unwrap();
        let code = BASE64.decode(encoded.as_bytes()).unwrap();
        let mut mac = Hmac::<Sha256>::new_from_slice(key).unwrap();
        mac.update(head.as_bytes());
        mac.update(&request.body);
        mac.verify_slice(&code).is_ok()
    })
}

#[tokio::test]
async fn request_is_signed() {
    let receiver = Receiver::responding(OK).await;
    let attempt = send(&sender(Names::giving(&[])), &receiver.url(), &loopback()).await;
    assert_eq!((attempt.status, attempt.error, attempt.outcome), (Some(200), None, Outcome::Delivered));
    let [request] = &receiver.requests()[..] else { panic!("one request") };
    assert!(request.head.starts_with("POST /hooks?a=b HTTP/1.1\r\n"), "{}", request.head);
    assert_eq!(request.header("host"), receiver.address.to_string());
    assert_eq!(request.header("content-type"), "application/json");
    assert_eq!(request.header("webhook-id"), "evt_1_42");
    assert_eq!(request.header("webhook-timestamp"), NOW.to_string());
    assert!(request.header("user-agent").starts_with("pointbook/"));
    assert_eq!(request.body, BODY);
    assert!(is_signed(request, &KEY) && !is_signed(request, &[9; 32]));
    assert_eq!(request.head.lines().filter(|line| line.contains(": ")).count(), 7, "{}", request.head);
}

/// Runs another test of this file in a process whose environment names a proxy.
#[tokio::test]
async fn proxy_of_the_environment_is_not_used() {
    let proxy = Receiver::responding("HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n").await;
    let url = format!("http://{}", proxy.address);
    let mut command = Command::new(std::env::current_exe().unwrap());
    for name in ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"] {
        command.env(name, &url);
    }
    let output = command.args(["--exact", "delivered::request_is_signed"]).output().unwrap();
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && shown.contains("1 passed"), "{shown}");
    assert_eq!(proxy.connections(), 0);
}
