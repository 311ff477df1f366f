//! The router: it finds a page in the table of all pages.

use http::{HeaderMap, Method, Uri};
use pointbook_http::KnownPrincipal;
use pointbook_http::kernel::{Answering, PageRequest, Refusal, RefusedRequest, Response};
use pointbook_http::pages::{PageError, PathTable, error_outside, see_other};
use pointbook_http::rate_limit::count::Counted;

use crate::layout::STYLESHEETS;
use crate::page_spec::{PageSpec, Visitor};
use crate::pages::PAGES;
use crate::shared::Shared;
use crate::visit::{Visit, find_shop};
use crate::{app, assets, brand, home, layout};

/// The path that all pages of shops begin with.
const SHOP: &str = "/shop/";

/// Finds pages by their paths.
pub(crate) struct Router {
    /// The indices are those of [`PAGES`].
    paths: PathTable,
}

impl Default for Router {
    fn default() -> Self {
        Self { paths: PathTable::new(PAGES.iter().map(|page| (page.method.clone(), page.path))) }
    }
}

impl Router {
    pub(crate) fn answer<'r>(
        &'r self,
        shared: &'r Shared,
        request: PageRequest<'r, KnownPrincipal>,
    ) -> Option<Answering<'r>> {
        let path = request.uri.path();
        if !request.face.has_interface() {
            return beside_console(&request);
        }
        if let Some(response) = app::find(shared, &request) {
            return Some(Box::pin(std::future::ready(response)));
        }
        if is_below_shops(shared, request.uri, request.headers) {
            return Some(Box::pin(self.visit(shared, request)));
        }
        if *request.method != Method::GET {
            return None;
        }
        if path == "/" && home::is_for_browser(request.headers) {
            let _ = request.route.set("web.home");
            return Some(Box::pin(home::answer(shared, request)));
        }
        let response = asset(request.uri).or_else(|| home::picture(&shared.home, path))?;
        Some(Box::pin(std::future::ready(response)))
    }

    /// The page of a refusal of the gateway, where this server has pages.
    pub(crate) fn refuse(
        shared: &Shared,
        request: RefusedRequest<'_>,
        refusal: &Refusal,
    ) -> Option<Response> {
        let RefusedRequest { face, uri, headers, tenant } = request;
        let is_for_browser = home::is_for_browser(headers);
        let error = PageError::Refused(refusal.clone());
        if !face.has_interface() {
            let words = shared.languages.choose(headers);
            return is_for_browser.then(|| error_outside(words, STYLESHEETS, error));
        }
        let is_home = uri.path() == "/" && is_for_browser;
        if !is_home && !is_below_shops(shared, uri, headers) {
            return None;
        }
        let Some(served) = find_shop(shared, uri, headers) else {
            return Some(error_outside(shared.languages.choose(headers), STYLESHEETS, error));
        };
        let _ = tenant.set(served.name());
        Some(layout::refused(shared, &served, headers, error))
    }

    /// A page of a shop, or the page of an error.
    async fn visit(&self, shared: &Shared, request: PageRequest<'_, KnownPrincipal>) -> Response {
        let (index, params) = self.paths.find(request.method, request.uri.path());
        let page = index.and_then(|index| PAGES.get(index).ok_or(PageError::NotFound));
        let counted = page.as_ref().map_or(Counted::Read, |page| page.counted);
        let mut visit = match Visit::begin(shared, &request, params, counted).await {
            Ok(visit) => visit,
            Err(error) => return error_outside(shared.languages.choose(request.headers), STYLESHEETS, error),
        };
        let shown = match (visit.refusal.take(), page) {
            (Some(refusal), _) => Err(refusal),
            (None, Ok(page)) => show(page, &visit).await,
            (None, Err(error)) => Err(error),
        };
        shown.unwrap_or_else(|error| layout::error(&visit, error))
    }
}

/// What the listener of the console has besides the console: the files that its pages load, and at `/` the way to it.
fn beside_console<'r>(request: &PageRequest<'_, KnownPrincipal>) -> Option<Answering<'r>> {
    if *request.method != Method::GET {
        return None;
    }
    let response = if request.uri.path() == "/" { see_other("/console") } else { asset(request.uri)? };
    Some(Box::pin(std::future::ready(response)))
}

/// The file that pages load from this address.
fn asset(uri: &Uri) -> Option<Response> {
    assets::find(uri.path()).or_else(|| brand::find(uri))
}

/// Whether the shops answer the request. A program with a wrong base URL gets the error that says so.
fn is_below_shops(shared: &Shared, uri: &Uri, headers: &HeaderMap) -> bool {
    uri.path().starts_with(SHOP)
        && (home::is_for_browser(headers) || find_shop(shared, uri, headers).is_some())
}

async fn show(page: &'static PageSpec, visit: &Visit<'_>) -> Result<Response, PageError> {
    let _ = visit.request.route.set(page.name);
    if page.visitor == Visitor::Member {
        visit.session()?;
    }
    (page.show)(visit).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_has_a_name_of_its_own() {
        let mut names: Vec<_> = PAGES.iter().map(|page| page.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), PAGES.len());
    }
}
