//! The router: it finds a page in the table of all pages.

use http::Method;
use pointbook_access::console_kit::layout::STYLESHEETS;
use pointbook_access::console_kit::page_spec::{FORM, ROOT};
use pointbook_access::console_kit::visit::find_tenant;
use pointbook_access::console_kit::{Access, PageSpec, Shared, Visit, assets, layout};
use pointbook_access::openid;
use pointbook_http::KnownPrincipal;
use pointbook_http::kernel::{Answering, BodyLimit, PageRequest, Refusal, RefusedRequest, Response};
use pointbook_http::pages::{PageError, PathTable, error_outside};
use pointbook_store::StoreError;
use pointbook_store::queue::Lane;

/// The path that all pages begin with.
const CONSOLE: &str = "/console";

/// Whether the path is that of a page or a file of the console.
pub(crate) fn is_below(path: &str) -> bool {
    path.strip_prefix(CONSOLE).is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '.']))
        || path == assets::CHARTS
}

/// Finds pages by their paths.
pub(crate) struct Router {
    pages: Vec<&'static PageSpec>,
    paths: PathTable,
}

impl Router {
    pub(crate) fn new(pages: Vec<&'static PageSpec>) -> Self {
        let paths = PathTable::new(pages.iter().map(|page| (page.method.clone(), page.path)));
        Self { pages, paths }
    }

    pub(crate) fn answer<'r>(
        &'r self,
        shared: &'r Shared,
        request: PageRequest<'r, KnownPrincipal>,
    ) -> Answering<'r> {
        if let Some(file) = assets::find(request.uri.path()) {
            return Box::pin(std::future::ready(file));
        }
        if request.uri.path().trim_end_matches('/') == CONSOLE && *request.method == Method::GET {
            let _ = request.route.set("console.front");
            return Box::pin(async move { layout::front(shared, &request).await });
        }
        if let Some(openid) = openid::find(shared, request.method, request.uri) {
            let _ = request.route.set(openid::CALLBACK);
            return Box::pin(async move { openid::callback(shared, openid, &request).await });
        }
        Box::pin(self.visit(shared, request))
    }

    /// The limit of a body that is sent to this path.
    pub(crate) fn body_limit(&self, method: &Method, path: &str) -> BodyLimit {
        let index = self.paths.find(method, path).0.ok();
        let form = index.and_then(|index| self.pages.get(index)).map_or(FORM, |page| page.form);
        if form.files == 0 { BodyLimit::Ordinary } else { BodyLimit::Form(form.bytes) }
    }

    /// The page of a refusal of the gateway. It reads no session, because the server may be overloaded.
    pub(crate) fn refuse(shared: &Shared, request: RefusedRequest<'_>, refusal: &Refusal) -> Response {
        let RefusedRequest { face: _, uri, headers, tenant } = request;
        let error = PageError::Refused(refusal.clone());
        let Some(served) = find_tenant(shared, uri, headers) else {
            return error_outside(shared.languages.choose(headers), STYLESHEETS, error);
        };
        let _ = tenant.set(served.name());
        let words = shared.languages.choose_or(headers, &served.tenant.locale);
        error_outside(words, STYLESHEETS, error)
    }

    async fn visit(&self, shared: &Shared, request: PageRequest<'_, KnownPrincipal>) -> Response {
        let (index, params) = self.paths.find(request.method, request.uri.path());
        let page = index.and_then(|index| self.pages.get(index).copied().ok_or(PageError::NotFound));
        let known = page.as_ref().ok().copied();
        let visit = match Visit::begin(shared, &request, params, known).await {
            Ok(visit) => visit,
            Err(error) => {
                let words = shared.languages.choose(request.headers);
                return error_outside(words, STYLESHEETS, error);
            }
        };
        let shown = match page {
            Ok(page) => show(page, &visit).await,
            Err(error) => Err(error),
        };
        shown.unwrap_or_else(|error| match error {
            PageError::MethodNotAllowed(_) if *request.method == Method::GET => {
                layout::form_address(&visit, error, self.page_of_form(&visit).as_deref())
            }
            error => layout::error(&visit, error),
        })
    }

    /// The path of the page that has the form of this address: the nearest page above it, or else the page after which the form is named.
    /// `None` when the visitor may not see it.
    fn page_of_form(&self, visit: &Visit<'_>) -> Option<String> {
        let role = visit.signed_in.as_ref()?.operator.role;
        let (page, path) = self.page_above(visit.request.uri.path())?;
        let (page, path) = match self.named_page(visit.request.uri.path()).filter(|_| page.path == ROOT) {
            Some(named) => (named, visit.path(named.path.strip_prefix(ROOT)?)),
            None => (page, path.to_owned()),
        };
        page.access.admits(role).then_some(path)
    }

    fn page_above<'v>(&self, mut path: &'v str) -> Option<(&'static PageSpec, &'v str)> {
        loop {
            (path, _) = path.trim_end_matches('/').rsplit_once('/')?;
            if let Ok(index) = self.paths.find(&Method::GET, path).0 {
                return Some((self.pages.get(index)?, path));
            }
        }
    }

    /// The page whose name is that of the form without its last word, such as `console.categories` of `console.categories.add`.
    fn named_page(&self, path: &str) -> Option<&'static PageSpec> {
        let form = self.pages.get(self.paths.find(&Method::POST, path).0.ok()?)?;
        let (name, _) = form.name.rsplit_once('.')?;
        self.pages.iter().copied().find(|page| page.method == Method::GET && page.name == name)
    }
}

async fn show(page: &'static PageSpec, visit: &Visit<'_>) -> Result<Response, PageError> {
    let _ = visit.request.route.set(page.name);
    if page.access == Access::Anyone {
        return (page.show)(visit).await;
    }
    let operator = &visit.signed_in()?.operator;
    if !page.access.admits(operator.role) {
        return Err(PageError::Forbidden);
    }
    if page.asks_again && !visit.is_recent()? {
        return Ok(layout::sign_in_again(visit));
    }
    let lane = Lane::of(visit.served.tenant.id.clone(), operator.id.clone());
    let turn = visit.shared.turns.acquire(lane).await;
    let _turn = turn.map_err(|_| StoreError::Overloaded)?;
    (page.show)(visit).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_console_has_its_paths_and_no_others() {
        for path in ["/console", "/console/", "/console/acme", "/console.css", "/charts.css"] {
            assert!(is_below(path), "{path}");
        }
        for path in ["/consoles", "/", "/shop/console", "/Console"] {
            assert!(!is_below(path), "{path}");
        }
    }
}
