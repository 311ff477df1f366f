//! Sends requests of webhooks, to the addresses that the configuration allows.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use pointbook_domain::{TenantId, Timestamp, Webhook};
use pointbook_store::StoreError;
use pointbook_store::queue::{Bounds, Lane, Limits, Overloaded, Permit, Permits};
use tokio::time::timeout;

use crate::webhooks::sender::{
    AddressPolicy, Attempt, ErrorClass, Message, Outcome, Refusal, RootCertStore, Sender, SenderError,
    SenderOptions, SigningSecrets, SystemResolver, system_certificates,
};

/// How long a test waits for the receiver, and a check for the resolver. It ends before the timeout of requests.
const TEST_TIMEOUT: Duration = Duration::from_secs(8);

/// How many requests test a webhook or resolve its host at once. Further ones are refused.
const MAX_WAITING_FOR_RECEIVERS: Bounds = Bounds { all: 32, tenant: 2, lane: usize::MAX };

/// The permit to test a webhook or to resolve its host.
pub type ReceiverPermit = Permit<TenantId, ()>;

/// The sender of a process, with the configured policy.
pub struct Outbox {
    sender: Sender,
    policy: AddressPolicy,
    permits: Permits<TenantId, ()>,
}

/// What a receiver made of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TestResult {
    pub status: Option<u16>,
    pub duration_ms: u32,
    /// `None` when the receiver accepted the request.
    pub error: Option<&'static str>,
}

impl Outbox {
    pub fn new(sender: Sender, policy: AddressPolicy) -> Self {
        let permits = Permits::new(Limits { permits: MAX_WAITING_FOR_RECEIVERS, ..Limits::default() });
        Self { sender, policy, permits }
    }

    /// The sender of a process, with the root certificates and the resolver of the system. Without certificates it starts, and each
    /// delivery over https fails.
    ///
    /// # Errors
    /// When TLS cannot be set up.
    pub fn open(policy: AddressPolicy) -> Result<Self, SenderError> {
        let roots = system_certificates().unwrap_or_else(|error| {
            tracing::warn!("webhooks: {error}");
            RootCertStore::empty()
        });
        let sender = Sender::new(SenderOptions::default(), roots, Arc::new(SystemResolver))?;
        Ok(Self::new(sender, policy))
    }

    /// The permit of a request to test a webhook or to resolve its host, because either may be slow.
    ///
    /// # Errors
    /// When too many requests of the tenant or of all tenants do that.
    pub fn permit(&self, tenant: &TenantId) -> Result<ReceiverPermit, Overloaded> {
        self.permits.try_acquire(Lane::of(tenant.clone(), ()), 1)
    }

    /// Whether a webhook may have this URL, as far as its string says.
    ///
    /// # Errors
    /// [`Refusal`], with a message for the tenant.
    pub fn check_text(&self, url: &str) -> Result<(), Refusal> {
        Sender::check_text(url, &self.policy)
    }

    /// Whether a webhook may have this URL now.
    ///
    /// # Errors
    /// [`Refusal`], with a message for the tenant.
    pub async fn check(&self, url: &str) -> Result<(), Refusal> {
        let checked = self.sender.check(url, &self.policy, TEST_TIMEOUT).await;
        // The tenant does not see the reason in full.
        checked.inspect_err(|refusal| tracing::debug!(?refusal, "URL of a webhook refused"))
    }

    /// Sends an event `webhook.test`, which is not in the feed. `now` is the real time.
    ///
    /// # Errors
    /// When the request cannot be made.
    pub async fn test(
        &self,
        webhook: &Webhook,
        id: &str,
        now: Timestamp,
        tenant_now: Timestamp,
    ) -> Result<TestResult, StoreError> {
        let body =
            serde_json::json!({ "id": id, "type": "webhook.test", "timestamp": now.to_string(), "data": {} });
        let sent = self.send(webhook, id, body.to_string().into(), Times { real: now, tenant: tenant_now });
        let sent = timeout(TEST_TIMEOUT, sent).await;
        let Ok(attempt) = sent else {
            let error = Some(ErrorClass::Timeout.name());
            return Ok(TestResult { status: None, duration_ms: milliseconds(TEST_TIMEOUT), error });
        };
        let Attempt { status, duration, error, outcome: _ } = attempt?;
        Ok(TestResult { status, duration_ms: milliseconds(duration), error: error.map(ErrorClass::name) })
    }

    /// Makes one attempt.
    ///
    /// # Errors
    /// When the request cannot be made.
    pub(crate) async fn send(
        &self,
        webhook: &Webhook,
        id: &str,
        body: Bytes,
        now: Times,
    ) -> Result<Attempt, StoreError> {
        let (current, previous) = webhook.secrets_at(now.tenant);
        let secrets = SigningSecrets { current, previous };
        let timestamp_seconds = seconds(now.real);
        let message = Message { url: &webhook.url, id, timestamp_seconds, body, secrets };
        let sent = self.sender.send(&message, &self.policy).await;
        sent.map_err(|error| StoreError::Failed(Box::new(error)))
    }
}

/// The time of an attempt.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Times {
    /// Signed, for the receiver.
    pub(crate) real: Timestamp,
    /// By the clock of the tenant, which ends the previous secret. It differs only with a virtual clock.
    pub(crate) tenant: Timestamp,
}

/// Unix seconds.
pub(crate) fn seconds(at: Timestamp) -> i64 {
    at.as_micros().div_euclid(1_000_000)
}

pub(crate) fn milliseconds(duration: Duration) -> u32 {
    u32::try_from(duration.as_millis()).unwrap_or(u32::MAX)
}

/// Whether the receiver accepted the request.
pub(crate) fn is_delivered(attempt: &Attempt) -> bool {
    attempt.outcome == Outcome::Delivered
}
