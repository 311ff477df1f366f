//! The pages of members: the front door at `/`, and the shop of each tenant at `/shop/{tenant}`.
//!
//! Pages call the same use cases as the interface. They work without script. The table [`PAGES`] has every page of a shop, so
//! that tests can walk all of them.

mod app;
mod assets;
pub mod brand;
mod home;
mod icons;
mod layout;
mod page_spec;
mod pages;
mod route;
mod session;
mod shared;
mod visit;

use std::sync::Arc;

use http::{Method, Uri};
pub use page_spec::{PageSpec, Visitor};
use pointbook_domain::texts::Texts;
use pointbook_http::kernel::{
    Answering, BodyLimit, Face, PageRequest, Pages, Refusal, RefusedRequest, Response,
};
pub use pointbook_http::pages::languages;
use pointbook_http::pages::{Languages, Source};
use pointbook_http::{KnownPrincipal, RouteSpec};
use pointbook_store::{IdSource, SecretSource, Service};
use route::Router;
use shared::Shared;
pub use shared::{DemoPage, DemoPerson, Home};

pub use crate::pages::PAGES;

/// The operations of the interface.
pub static OPERATIONS: &[&[RouteSpec]] = &[&brand::api::ROUTES];

/// The texts of shops.
const SOURCES: [Source; 4] = [
    ("en", include_str!("../locales/en.ftl")),
    ("de", include_str!("../locales/de.ftl")),
    ("ja", include_str!("../locales/ja.ftl")),
    ("tr", include_str!("../locales/tr.ftl")),
];

/// The front door and the shops of all tenants.
pub struct Shop {
    shared: Shared,
    router: Router,
}

impl Shop {
    pub fn new(
        service: Arc<Service>,
        ids: Arc<dyn IdSource>,
        secrets: Arc<dyn SecretSource>,
        home: Home,
    ) -> Self {
        let (texts, languages) = (Texts::default(), Languages::new(SOURCES));
        Self { shared: Shared { service, ids, secrets, texts, languages, home }, router: Router::default() }
    }
}

impl Pages<KnownPrincipal> for Shop {
    fn answer<'r>(&'r self, request: PageRequest<'r, KnownPrincipal>) -> Option<Answering<'r>> {
        self.router.answer(&self.shared, request)
    }

    fn body_limit(&self, _: Face, _: &Method, _: &Uri) -> BodyLimit {
        BodyLimit::Ordinary
    }

    fn refuse(&self, request: RefusedRequest<'_>, refusal: &Refusal) -> Option<Response> {
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
            &["count", "total", "points", "title", "name", "example", "version", "date"],
        );
        assert_eq!(faults, [""; 0]);
    }
}
