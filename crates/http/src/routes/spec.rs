//! What the table says of an operation.

use axum::handler::Handler;
use axum::routing::{MethodFilter, MethodRouter, on};
use http::Method;

use super::HttpState;
use super::guard::Guarded;

/// Whose token an operation takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Caller {
    /// A customer's. The back office gets 401, like everyone else.
    Customer,
    /// The back office's. A customer gets 403, everyone else 401.
    SuperUser,
    /// Any good token.
    Anyone,
}

/// How long the body of a request may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BodyLimit {
    /// [`max_body_bytes`](crate::HttpLimits::max_body_bytes).
    Ordinary,
    /// [`max_import_body_bytes`](crate::HttpLimits::max_import_body_bytes).
    Import,
}

/// One operation.
#[derive(Debug)]
pub struct RouteSpec {
    /// Its name in metrics, logs and tests.
    pub name: &'static str,
    /// Its method; a GET also answers HEAD.
    pub method: Method,
    /// Its path below a tenant's base URL, with its parameter in braces.
    pub path: &'static str,
    /// Who may call it.
    pub caller: Caller,
    /// How long its body may be.
    pub body: BodyLimit,
    filter: MethodFilter,
    mount: Mount,
}

/// Puts the handler of an operation behind its method: `|route| route.on(handler)`.
type Mount = fn(&'static RouteSpec) -> MethodRouter<HttpState>;

impl RouteSpec {
    /// An operation by GET.
    pub(super) const fn get(name: &'static str, path: &'static str, caller: Caller, mount: Mount) -> Self {
        Self::new(Method::GET, MethodFilter::GET, name, path, caller, mount)
    }

    /// An operation by POST.
    pub(super) const fn post(name: &'static str, path: &'static str, caller: Caller, mount: Mount) -> Self {
        Self::new(Method::POST, MethodFilter::POST, name, path, caller, mount)
    }

    /// An operation by POST of many lines.
    pub(super) const fn import(name: &'static str, path: &'static str, caller: Caller, mount: Mount) -> Self {
        let mut import = Self::post(name, path, caller, mount);
        import.body = BodyLimit::Import;
        import
    }

    /// An operation by PUT.
    pub(super) const fn put(name: &'static str, path: &'static str, caller: Caller, mount: Mount) -> Self {
        Self::new(Method::PUT, MethodFilter::PUT, name, path, caller, mount)
    }

    /// An operation by DELETE.
    pub(super) const fn delete(name: &'static str, path: &'static str, caller: Caller, mount: Mount) -> Self {
        Self::new(Method::DELETE, MethodFilter::DELETE, name, path, caller, mount)
    }

    const fn new(
        method: Method,
        filter: MethodFilter,
        name: &'static str,
        path: &'static str,
        caller: Caller,
        mount: Mount,
    ) -> Self {
        Self { name, method, path, caller, body: BodyLimit::Ordinary, filter, mount }
    }

    /// The handler behind the guard, at this operation's method.
    pub(super) fn on<H, T>(&'static self, handler: H) -> MethodRouter<HttpState>
    where
        H: Handler<T, HttpState>,
        T: Send + 'static,
    {
        on(self.filter, Guarded::new(self, handler))
    }

    pub(super) fn mounted(&'static self) -> MethodRouter<HttpState> {
        (self.mount)(self)
    }

    /// Whether this operation's path stands for another path of the table too, as `/v1/things/{id}`
    /// does for `/v1/things/import`.
    pub(super) fn covers(&self, path: &str) -> bool {
        let mut segments = path.split('/');
        let mut same = self
            .path
            .split('/')
            .map(|own| segments.next().is_some_and(|other| own == other || own.starts_with('{')));
        same.all(|same| same) && segments.next().is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parameter_covers_one_segment() {
        let things = RouteSpec::get("things", "/v1/things/{id}", Caller::Anyone, |_| MethodRouter::new());
        for (path, covered) in [
            ("/v1/things/{id}", true),
            ("/v1/things/import", true),
            ("/v1/things", false),
            ("/v1/others/import", false),
            ("/v1/things/import/x", false),
        ] {
            assert_eq!(things.covers(path), covered, "{path}");
        }
    }
}
