//! The URLs at the root of the listener that belong to no tenant: probes, the OpenAPI document, and the pages at `/docs`.

mod documents;
mod health;

use documents::{Description, Document};
use health::Probe;
use http::Method;
use pointbook_store::Service;
use serde::Serialize;

use crate::error::{ApiError, ErrorShape};
use crate::kernel::{Response, RootRequest, has_valid_host};
use crate::listed::Listed;

/// The prefilled values of the pages. Only the demo has some: everyone who opens the pages sees these tokens.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize)]
pub struct DocsSettings {
    /// The host and port of the server. The tokens are sent to clients of this host, or of this machine under a local name.
    #[serde(skip)]
    pub host: Option<String>,
    /// The path of a tenant's base URL, with `/api` at its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_path: Option<String>,
    /// Public tokens.
    pub tokens: DocsTokens,
}

/// The tokens, under the names of the security schemes in the OpenAPI document.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize)]
pub struct DocsTokens {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub customer: Option<String>,
    #[serde(rename = "superUser", skip_serializing_if = "Option::is_none")]
    pub super_user: Option<String>,
}

#[derive(Default)]
pub(crate) struct Root {
    /// `None` without pages.
    pub(crate) docs: Option<DocsSettings>,
    description: Description,
}

impl Root {
    /// The response of a probe or a document. `None` for every other path.
    pub(crate) fn answer(
        &self,
        request: &RootRequest<'_>,
        service: &Service,
        listed: &Listed,
    ) -> Option<Response> {
        let (path, docs) = (request.parts.uri.path(), self.docs.as_ref());
        let probe = Probe::of(path);
        if probe.is_none() && !request.face.has_interface() {
            return None;
        }
        let document = if probe.is_none() { Some(Document::of(path, docs)?) } else { None };
        let response = match (check(request, probe.is_some()), probe, document) {
            (Err(error), _, _) => Err(error),
            (Ok(()), Some(probe), _) => probe.answer(request, service, listed),
            (Ok(()), None, document) => {
                Ok(document?.answer(&request.parts.headers, docs, &self.description, listed))
            }
        };
        Some(response.unwrap_or_else(|error| error.into_response(ErrorShape::Documented)))
    }
}

/// Probes respond while the server refuses everything else.
fn check(request: &RootRequest<'_>, is_probe: bool) -> Result<(), ApiError> {
    if !has_valid_host(request.parts) {
        return Err(ApiError::InvalidHost);
    }
    if !is_probe && !request.permits.admits_document() {
        return Err(ApiError::Unavailable);
    }
    match &request.parts.method {
        &Method::GET | &Method::HEAD => Ok(()),
        method => Err(ApiError::MethodNotAllowed { method: method.clone(), allowed: "GET, HEAD".into() }),
    }
}
