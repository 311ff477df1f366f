//! The HTML pages of the server: its front door at `/`, the shop of each tenant at `/shop/{tenant}`, and the way to the console.
//!
//! Pages call the same use cases as the interface. They work without script. The table [`PAGES`] has every page of a shop, so that tests can
//! walk all of them.

mod assets;
mod home;
mod layout;
mod page_spec;
mod route;
mod session;
mod shared;
mod shop;
mod visit;

use std::sync::Arc;

use http::{Method, Uri};
pub use page_spec::{PageSpec, Visitor};
use pointbook_console::Console;
pub use pointbook_console::Entrance;
use pointbook_deliveries::Outbox;
use pointbook_domain::texts::Texts;
use pointbook_http::kernel::{
    Answering, BodyLimit, Face, PageRequest, Pages, Refusal, RefusedRequest, Response,
};
pub use pointbook_http::pages::languages;
use pointbook_http::pages::{Languages, Source};
use pointbook_store::principal_cache::KnownPrincipal;
use pointbook_store::service::Service;
use pointbook_store::sources::{IdSource, SecretSource};
use route::Router;
use shared::Shared;
pub use shared::{DemoPage, DemoPerson, Home};
pub use shop::PAGES;

/// The texts of shops.
const SOURCES: [Source; 4] = [
    ("en", include_str!("../locales/en.ftl")),
    ("de", include_str!("../locales/de.ftl")),
    ("ja", include_str!("../locales/ja.ftl")),
    ("tr", include_str!("../locales/tr.ftl")),
];

/// The pages of this server.
pub struct Web {
    shared: Shared,
    router: Router,
    console: Console,
}

impl Web {
    pub fn new(
        service: Arc<Service>,
        ids: Arc<dyn IdSource>,
        secrets: Arc<dyn SecretSource>,
        outbox: Arc<Outbox>,
        home: Home,
        entrance: Entrance,
    ) -> Self {
        let console = Console::new(service.clone(), ids.clone(), secrets.clone(), outbox, entrance);
        let (texts, languages) = (Texts::default(), Languages::new(SOURCES));
        Self {
            shared: Shared { service, ids, secrets, texts, languages, home },
            router: Router::default(),
            console,
        }
    }
}

impl Pages<KnownPrincipal> for Web {
    fn answer<'r>(&'r self, request: PageRequest<'r, KnownPrincipal>) -> Option<Answering<'r>> {
        if Console::has(request.uri) {
            return request.face.has_console().then(|| self.console.answer(request));
        }
        self.router.answer(&self.shared, request)
    }

    fn body_limit(&self, face: Face, method: &Method, uri: &Uri) -> BodyLimit {
        let is_of_console = face.has_console() && Console::has(uri);
        if is_of_console { self.console.body_limit(method, uri.path()) } else { BodyLimit::Ordinary }
    }

    fn refuse(&self, request: RefusedRequest<'_>, refusal: &Refusal) -> Option<Response> {
        if Console::has(request.uri) {
            return request.face.has_console().then(|| self.console.refuse(request, refusal));
        }
        Router::refuse(&self.shared, request, refusal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_the_same_texts_without_a_mistake() {
        let faults = pointbook_http::pages::text_faults(
            SOURCES,
            &["count", "points", "title", "name", "example", "version"],
        );
        assert_eq!(faults, [""; 0]);
    }
}
