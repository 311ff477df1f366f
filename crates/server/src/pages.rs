//! All pages of the server: those of members, and the console.

use std::sync::Arc;

use http::{Method, Uri};
use pointbook_console::{Console, Entrance};
use pointbook_http::KnownPrincipal;
use pointbook_http::kernel::{
    Answering, BodyLimit, Face, PageRequest, Pages, Refusal, RefusedRequest, Response,
};
use pointbook_shop::{Home, Shop};
use pointbook_store::{IdSource, Parts, SecretSource, Service};

use crate::slices;

/// The console gets the requests below its path, and the shop all others.
pub struct AllPages {
    shop: Shop,
    console: Console,
}

impl AllPages {
    pub fn new(
        service: Arc<Service>,
        ids: Arc<dyn IdSource>,
        secrets: Arc<dyn SecretSource>,
        parts: Parts,
        home: Home,
        entrance: Entrance,
    ) -> Self {
        let shop = Shop::new(service.clone(), ids.clone(), secrets.clone(), home);
        Self {
            shop,
            console: Console::new(service, ids, secrets, parts, entrance, slices::pages().collect()),
        }
    }

    fn of(&self, uri: &Uri) -> &dyn Pages<KnownPrincipal> {
        if Console::has(uri) { &self.console } else { &self.shop }
    }
}

impl Pages<KnownPrincipal> for AllPages {
    fn answer<'r>(&'r self, request: PageRequest<'r, KnownPrincipal>) -> Option<Answering<'r>> {
        self.of(request.uri).answer(request)
    }

    fn body_limit(&self, face: Face, method: &Method, uri: &Uri) -> BodyLimit {
        self.of(uri).body_limit(face, method, uri)
    }

    fn refuse(&self, request: RefusedRequest<'_>, refusal: &Refusal) -> Option<Response> {
        self.of(request.uri).refuse(request, refusal)
    }
}
