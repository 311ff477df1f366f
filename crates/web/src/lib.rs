//! The HTML pages of the server: its front door at `/`, and the shop of each tenant at `/shop/{tenant}`.
//!
//! Pages call the same use cases as the interface. They work without script. The route table in `route.rs` has every page, so that tests can
//! walk all of them.

mod assets;
mod figures;
mod form;
mod home;
mod layout;
mod page;
mod route;
mod session;
mod shop;
mod visit;
mod words;

use std::sync::Arc;

use pointbook_app::{IdSource, KnownPrincipal, SecretSource, Service};
use pointbook_http_kernel::{Answering, PageRequest, Pages};
use pointbook_texts::Texts;

use route::Router;
use words::Languages;

pub use home::{DemoPage, DemoPerson, Home};
pub use route::{PAGES, PageSpec};
pub use words::languages;

/// What pages share.
pub(crate) struct Shared {
    pub(crate) service: Arc<Service>,
    pub(crate) ids: Arc<dyn IdSource>,
    pub(crate) secrets: Arc<dyn SecretSource>,
    pub(crate) texts: Texts,
    pub(crate) languages: Languages,
    pub(crate) home: Home,
}

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
}
