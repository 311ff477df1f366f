//! The frame of the console at `/console/{tenant}`, on which operators see, explain and steer the programme of a tenant, and its
//! pages that belong to no slice. The pages of a noun are in the slice of the noun, and the program gives the list of all to
//! [`Console::new`].
//!
//! Pages call the same use cases as the management operations of the interface. A page names the operations that do the same, and
//! a test compares their scopes. Pages work without script.

mod route;
mod sections;

use std::sync::Arc;

use http::{Method, Uri};
use pointbook_access::console_kit::Shared;
pub use pointbook_access::console_kit::shared::Entrance;
use pointbook_access::console_kit::shared::{SOURCES, counted, turns};
pub use pointbook_access::console_kit::{Access, PageSpec};
use pointbook_http::KnownPrincipal;
use pointbook_http::kernel::{
    Answering, BodyLimit, Face, PageRequest, Pages, Refusal, RefusedRequest, Response,
};
use pointbook_http::pages::Languages;
use pointbook_store::{IdSource, Parts, SecretSource, Service};
use route::Router;
pub use sections::PAGES;

/// The console of all tenants.
pub struct Console {
    shared: Shared,
    router: Router,
}

impl Console {
    pub fn new(
        service: Arc<Service>,
        ids: Arc<dyn IdSource>,
        secrets: Arc<dyn SecretSource>,
        parts: Parts,
        entrance: Entrance,
        pages: Vec<&'static PageSpec>,
    ) -> Self {
        Self {
            shared: Shared {
                service,
                ids,
                secrets,
                parts,
                entrance,
                languages: Languages::new(SOURCES),
                counted: counted(&pages),
                turns: turns(),
            },
            router: Router::new(pages),
        }
    }

    /// Whether the console answers requests to this path.
    pub fn has(uri: &Uri) -> bool {
        route::is_below(uri.path())
    }
}

impl Pages<KnownPrincipal> for Console {
    fn answer<'r>(&'r self, request: PageRequest<'r, KnownPrincipal>) -> Option<Answering<'r>> {
        request.face.has_console().then(|| self.router.answer(&self.shared, request))
    }

    fn body_limit(&self, face: Face, method: &Method, uri: &Uri) -> BodyLimit {
        if face.has_console() { self.router.body_limit(method, uri.path()) } else { BodyLimit::Ordinary }
    }

    fn refuse(&self, request: RefusedRequest<'_>, refusal: &Refusal) -> Option<Response> {
        request.face.has_console().then(|| Router::refuse(&self.shared, request, refusal))
    }
}
