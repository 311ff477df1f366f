//! What is kept of a request while the router has it.

use std::time::{Duration, Instant};

use bytes::Bytes;
use http::header::IF_NONE_MATCH;
use http::request::Parts;
use http::{HeaderValue, Method, Response, Uri};
use pointbook_domain::Timestamp;

use super::Gateway;
use super::address::{self, Found};
use super::call::Failure;
use super::cors::Cors;
use crate::ApiError;
use crate::access_log::AccessLine;

/// A request as it came in.
pub(super) struct Seen {
    pub(super) now: Timestamp,
    pub(super) started: Instant,
    pub(super) method: Method,
    pub(super) uri: Uri,
    pub(super) request_id: HeaderValue,
    /// Looked up ahead of its turn, so that a refusal has CORS headers too; checked in its turn.
    pub(super) found: Option<Found>,
    pub(super) cors: Cors,
    pub(super) if_none_match: Vec<HeaderValue>,
}

impl Seen {
    /// Looks at a request, and takes its URI, which the router shall see another of.
    pub(super) fn new(gateway: &Gateway, parts: &mut Parts) -> Self {
        let (started, now) = (Instant::now(), gateway.service.clock.now());
        let (uri, headers) = (std::mem::take(&mut parts.uri), &parts.headers);
        let found = address::find_tenant(&gateway.service, &uri, headers);
        let cors = found.as_ref().map(|found| Cors::new(&found.tenant.tenant.settings.cors, headers));
        Self {
            now,
            started,
            method: parts.method.clone(),
            request_id: gateway.request_ids.of(headers),
            cors: cors.unwrap_or_default(),
            if_none_match: headers.get_all(IF_NONE_MATCH).iter().cloned().collect(),
            found,
            uri,
        }
    }

    /// Logs why the router gave no answer, and gives the error for it.
    pub(super) fn blame(&self, failure: Failure) -> ApiError {
        let (request_id, path) = (self.request_id(), self.uri.path());
        match failure {
            Failure::Timeout => tracing::warn!(request_id, path, "request timed out"),
            Failure::Panic => tracing::error!(request_id, path, "handler panicked"),
            Failure::Body => tracing::error!(request_id, path, "answer broke off"),
        }
        failure.into()
    }

    /// The access log's line about this request.
    pub(super) fn log_line<'s>(
        &'s self,
        answer: &Response<Bytes>,
        route: &'static str,
        duration: Duration,
        peer: &'s str,
    ) -> AccessLine<'s> {
        AccessLine {
            time: self.now,
            request_id: self.request_id(),
            tenant: self.found.as_ref().map(|found| {
                let tenant = &found.tenant.tenant;
                (tenant.slug.as_str(), tenant.environment.as_str())
            }),
            method: self.method.as_str(),
            path: self.uri.path(),
            route,
            status: answer.status().as_u16(),
            duration_us: u64::try_from(duration.as_micros()).unwrap_or(u64::MAX),
            response_bytes: answer.body().len(),
            peer,
        }
    }

    fn request_id(&self) -> &str {
        self.request_id.to_str().unwrap_or_default()
    }
}
