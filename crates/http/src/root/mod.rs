//! What stands at the root of the listener and belongs to no tenant: probes, the OpenAPI document, and the pages at
//! `/docs`.

mod docs;
mod documents;
mod health;

use pointbook_app::Service;
use pointbook_http_kernel::{Response, RootRequest, has_valid_host};

use crate::ApiError;
use documents::{Description, Document};
use health::Probe;

pub use docs::{DocsSettings, DocsTokens};

/// The documents of a server, and the settings of its pages.
#[derive(Default)]
pub(crate) struct Root {
    /// None where there are no pages.
    pub(crate) docs: Option<DocsSettings>,
    description: Description,
}

impl Root {
    /// The response of a probe or a document. `None` for every other path.
    pub(crate) fn answer(&self, request: &RootRequest<'_>, service: &Service) -> Option<Response> {
        let (path, docs) = (request.parts.uri.path(), self.docs.as_ref());
        let probe = Probe::of(path);
        let document = if probe.is_none() { Some(Document::of(path, docs)?) } else { None };
        if !has_valid_host(request.parts) {
            return Some(ApiError::InvalidHost.into_response());
        }
        match probe {
            Some(probe) => Some(probe.answer(request, service)),
            None => document.map(|document| document.answer(request, docs, &self.description)),
        }
    }
}
