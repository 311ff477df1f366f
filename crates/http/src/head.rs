//! The parts of a request that the readers of bodies need.

use bytes::Bytes;
use http::{HeaderMap, Method};
use pointbook_domain::TenantId;

use crate::kernel::{BodyOwner, Refusal, RequestBody};
use crate::sender::Sender;

/// The body of a request, with the parts that identify the request and its sender.
#[derive(Clone, Copy)]
pub struct Head<'r> {
    pub tenant: &'r TenantId,
    pub method: &'r Method,
    /// The path below the tenant's base URL, still encoded.
    pub path: &'r str,
    /// The part behind the question mark, still encoded.
    pub query: Option<&'r str>,
    pub headers: &'r HeaderMap,
    /// `None` until the guard of the route admitted the sender.
    pub sender: Option<&'r Sender<'r>>,
    pub body: &'r RequestBody<'r>,
}

impl Head<'_> {
    /// Waits for the whole body, and keeps it.
    ///
    /// # Errors
    /// The body is late, too large or broken, or the server is overloaded.
    pub async fn body_arrival(&self) -> Result<(), Refusal> {
        self.body.arrival(|| self.owner()).await
    }

    /// Takes the whole body, after waiting for it.
    ///
    /// # Errors
    /// As for [`Head::body_arrival`], and when the body was taken before.
    pub async fn receive_body(&self) -> Result<Bytes, Refusal> {
        self.body.receive(|| self.owner()).await
    }

    /// Who takes memory and time for this body.
    pub fn owner(&self) -> BodyOwner {
        let principal = self.sender.map(Sender::key_owner).unwrap_or_default();
        BodyOwner::of(self.tenant.clone(), principal)
    }
}
