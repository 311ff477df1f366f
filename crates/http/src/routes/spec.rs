//! What the table says of an operation.

use std::pin::Pin;

use http::Method;

use super::HttpState;
use crate::openapi::Operation;
use crate::response::Response;
use crate::{ApiError, Asked};

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
    /// What the description of the interface says of it.
    pub(crate) documentation: Documentation,
    pub(super) handler: Handler,
}

/// Says what an operation is, in its own file.
pub(super) type Documentation = fn() -> Operation;

/// Calls the handler of an operation: `|_, asked| Box::pin(list::list(asked))`.
pub(super) type Handler = for<'r> fn(&'r HttpState, Asked<'r>) -> Handling<'r>;

/// A handler at work.
pub(super) type Handling<'r> = Pin<Box<dyn Future<Output = Result<Response, ApiError>> + Send + 'r>>;

impl RouteSpec {
    /// An operation by GET.
    pub(super) const fn get(
        name: &'static str,
        path: &'static str,
        caller: Caller,
        documentation: Documentation,
        handler: Handler,
    ) -> Self {
        Self::new(Method::GET, name, path, caller, documentation, handler)
    }

    /// An operation by POST.
    pub(super) const fn post(
        name: &'static str,
        path: &'static str,
        caller: Caller,
        documentation: Documentation,
        handler: Handler,
    ) -> Self {
        Self::new(Method::POST, name, path, caller, documentation, handler)
    }

    /// An operation by POST of many lines.
    pub(super) const fn import(
        name: &'static str,
        path: &'static str,
        caller: Caller,
        documentation: Documentation,
        handler: Handler,
    ) -> Self {
        let mut import = Self::post(name, path, caller, documentation, handler);
        import.body = BodyLimit::Import;
        import
    }

    /// An operation by PUT.
    pub(super) const fn put(
        name: &'static str,
        path: &'static str,
        caller: Caller,
        documentation: Documentation,
        handler: Handler,
    ) -> Self {
        Self::new(Method::PUT, name, path, caller, documentation, handler)
    }

    /// An operation by DELETE.
    pub(super) const fn delete(
        name: &'static str,
        path: &'static str,
        caller: Caller,
        documentation: Documentation,
        handler: Handler,
    ) -> Self {
        Self::new(Method::DELETE, name, path, caller, documentation, handler)
    }

    const fn new(
        method: Method,
        name: &'static str,
        path: &'static str,
        caller: Caller,
        documentation: Documentation,
        handler: Handler,
    ) -> Self {
        Self { name, method, path, caller, body: BodyLimit::Ordinary, documentation, handler }
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
    use crate::openapi::Tag;

    #[test]
    fn a_parameter_covers_one_segment() {
        let documentation = || Operation::ours("listThings", Tag::Store, "Things");
        let things = RouteSpec::get("things", "/v1/things/{id}", Caller::Anyone, documentation, |_, _| {
            Box::pin(std::future::ready(Err(ApiError::NotFound)))
        });
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
