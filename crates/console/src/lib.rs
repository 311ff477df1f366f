//! The console at `/console/{tenant}`: pages on which operators see, explain and steer the programme of a tenant.
//!
//! Pages call the same use cases as the management operations of the interface. A page names the operations that do the same, and a
//! test compares their scopes. Pages work without script. [`pages`] has every page, so that tests can walk all of them.

mod route;
mod sections;

use std::sync::Arc;

use http::{Method, Uri};
use pointbook_console_kit::import_jobs::ImportJobs;
pub use pointbook_console_kit::page_spec::{Access, PageSpec};
pub use pointbook_console_kit::shared::Entrance;
use pointbook_console_kit::shared::{SOURCES, Shared, turns};
use pointbook_deliveries::Outbox;
use pointbook_http::kernel::{Answering, BodyLimit, PageRequest, Refusal, RefusedRequest, Response};
use pointbook_http::pages::Languages;
use pointbook_store::principal_cache::KnownPrincipal;
use pointbook_store::service::Service;
use pointbook_store::sources::{IdSource, SecretSource};
use route::Router;
pub use sections::pages;

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
        outbox: Arc<Outbox>,
        entrance: Entrance,
    ) -> Self {
        Self {
            shared: Shared {
                service,
                ids,
                secrets,
                outbox,
                entrance,
                languages: Languages::new(SOURCES),
                imports: ImportJobs::default(),
                turns: turns(),
            },
            router: Router::default(),
        }
    }

    /// Whether the console answers requests to this path.
    pub fn has(uri: &Uri) -> bool {
        route::is_below(uri.path())
    }

    /// The limit of a body that is sent to a path that [`Self::has`].
    pub fn body_limit(&self, method: &Method, path: &str) -> BodyLimit {
        self.router.body_limit(method, path)
    }

    /// Answers a request that [`Self::has`].
    pub fn answer<'r>(&'r self, request: PageRequest<'r, KnownPrincipal>) -> Answering<'r> {
        self.router.answer(&self.shared, request)
    }

    /// The page of a refusal of the gateway.
    pub fn refuse(&self, request: RefusedRequest<'_>, refusal: &Refusal) -> Response {
        Router::refuse(&self.shared, request, refusal)
    }
}
