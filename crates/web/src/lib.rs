//! The HTML pages of the server: its front door at `/`, and the shop of each tenant at `/shop/{tenant}`.
//!
//! Pages call the same use cases as the interface. They work without script. The table [`PAGES`] has every page of a shop, so that tests can
//! walk all of them.

mod assets;
mod figures;
mod form;
mod home;
mod layout;
mod page;
mod page_spec;
mod route;
mod session;
mod shared;
mod shop;
mod visit;
mod words;

use std::sync::Arc;

use pointbook_app::{IdSource, KnownPrincipal, SecretSource, Service};
use pointbook_http_kernel::{Answering, PageRequest, Pages, Refusal, RefusedRequest, Response};
use pointbook_texts::Texts;

use route::Router;
use shared::Shared;
use words::Languages;

pub use page_spec::{PageSpec, Visitor};
pub use shared::{DemoPage, DemoPerson, Home};
pub use shop::PAGES;
pub use words::languages;

/// The pages of this server.
pub struct Web {
    shared: Shared,
    router: Router,
}

impl Web {
    pub fn new(
        service: Arc<Service>,
        ids: Arc<dyn IdSource>,
        secrets: Arc<dyn SecretSource>,
        home: Home,
    ) -> Self {
        let (texts, languages) = (Texts::default(), Languages::default());
        Self { shared: Shared { service, ids, secrets, texts, languages, home }, router: Router::default() }
    }
}

impl Pages<KnownPrincipal> for Web {
    fn answer<'r>(&'r self, request: PageRequest<'r, KnownPrincipal>) -> Option<Answering<'r>> {
        self.router.answer(&self.shared, request)
    }

    fn refuse(&self, request: RefusedRequest<'_>, refusal: &Refusal) -> Option<Response> {
        Router::refuse(&self.shared, request, refusal)
    }
}
