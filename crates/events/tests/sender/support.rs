use std::io;
use std::net::IpAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use pointbook_domain::WebhookSecret;
use pointbook_events::webhooks::sender::{
    AddressPolicy, Attempt, Message, Resolve, RootCertStore, Sender, SenderOptions, SigningSecrets,
};

pub(crate) const NOW: i64 = 1_700_000_000;
pub(crate) const BODY: &[u8] = br#"{"type":"order.placed"}"#;
pub(crate) const KEY: [u8; 32] = [7; 32];
pub(crate) const RESOLVE_TIMEOUT: Duration = Duration::from_secs(8);

/// Gives prepared addresses to each name, one list per call. The last list repeats.
#[derive(Default)]
pub(crate) struct Names {
    lists: Mutex<Vec<Vec<IpAddr>>>,
    calls: AtomicUsize,
}

impl Names {
    pub(crate) fn giving(lists: &[&[&str]]) -> Arc<Self> {
        let parsed = lists.iter().map(|list| list.iter().map(|address| address.parse().unwrap()).collect());
        let lists = Mutex::new(parsed.rev().collect());
        Arc::new(Self { lists, calls: AtomicUsize::new(0) })
    }

    pub(crate) fn calls(&self) -> usize {
        self.calls.load(Ordering::SeqCst)
    }
}

#[async_trait]
impl Resolve for Names {
    async fn resolve(&self, _: &str) -> io::Result<Vec<IpAddr>> {
        self.calls.fetch_add(1, Ordering::SeqCst);
        let mut lists = self.lists.lock().unwrap_or_else(PoisonError::into_inner);
        let next = if lists.len() > 1 { lists.pop() } else { lists.last().cloned() };
        next.ok_or_else(|| io::Error::other("no such name"))
    }
}

pub(crate) fn sender(names: Arc<Names>) -> Sender {
    sender_with(names, SenderOptions::default())
}

pub(crate) fn sender_with(names: Arc<Names>, options: SenderOptions) -> Sender {
    Sender::new(options, RootCertStore::empty(), names).unwrap()
}

/// For receivers that never respond. Everything else must be done in this time, also on an overloaded machine.
pub(crate) fn impatient() -> SenderOptions {
    SenderOptions { timeout: Duration::from_millis(500), ..SenderOptions::default() }
}

pub(crate) fn loopback() -> AddressPolicy {
    AddressPolicy::default().with_http_to_loopback()
}

pub(crate) async fn send(sender: &Sender, url: &str, policy: &AddressPolicy) -> Attempt {
    let current = WebhookSecret::from_bytes(KEY);
    let secrets = SigningSecrets { current: &current, previous: None };
    let body = Bytes::from_static(BODY);
    let message = Message { url, id: "evt_1_42", timestamp_seconds: NOW, body, secrets };
    sender.send(&message, policy).await.unwrap()
}
