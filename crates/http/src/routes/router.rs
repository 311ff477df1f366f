//! The router, made from the table of operations.

use std::borrow::Cow;
use std::collections::BTreeMap;

use axum::Router;
use axum::body::Body;
use axum::response::{IntoResponse, Response};
use axum::routing::MethodRouter;
use http::header::ALLOW;
use http::{HeaderValue, Method};

use super::{HttpState, RouteSpec, routes};
use crate::{ApiError, RequestContext};

/// A router of all operations. It expects a [`RequestContext`] in the extensions of a request, and
/// leaves the route's name in its slot, unless no route has the path.
pub fn router(state: HttpState) -> Router {
    let paths: BTreeMap<&str, &RouteSpec> = routes().map(|route| (route.path, route)).collect();
    let mut router = Router::new();
    for (path, named_after) in paths {
        let operations = operations_at(path);
        let mount =
            |methods: MethodRouter<HttpState>, route: &&'static RouteSpec| methods.merge(route.mounted());
        let methods = operations.iter().fold(MethodRouter::new(), mount);
        let (name, allow) = (named_after.name, allow(&operations));
        let other = move |context: RequestContext, method: Method| async move {
            context.route.set(name);
            other_method(method, allow)
        };
        router = router.route(path, methods.fallback(other));
    }
    router.fallback(|| async { ApiError::NotFound }).with_state(state)
}

/// The operations of a path: its own, and by other methods those of a parameter in place of its last
/// segment, which would else be out of reach: a product may have the id `import`.
fn operations_at(path: &str) -> Vec<&'static RouteSpec> {
    let mut operations: Vec<&RouteSpec> = routes().filter(|route| route.path == path).collect();
    for route in routes().filter(|route| route.covers(path)) {
        if !operations.iter().any(|known| known.method == route.method) {
            operations.push(route);
        }
    }
    operations
}

/// The methods of these operations, as `Allow` lists them.
fn allow(operations: &[&RouteSpec]) -> Cow<'static, str> {
    const ORDER: [(Method, &str); 4] = [
        (Method::GET, "GET, HEAD"),
        (Method::POST, "POST"),
        (Method::PUT, "PUT"),
        (Method::DELETE, "DELETE"),
    ];
    let has = |method: &Method| operations.iter().any(|route| route.method == method);
    let names: Vec<_> = ORDER.iter().filter(|(method, _)| has(method)).map(|(_, names)| *names).collect();
    names.join(", ").into()
}

/// The answer to a method that the path does not have: OPTIONS tells which it has.
fn other_method(method: Method, allowed: Cow<'static, str>) -> Response {
    if method != Method::OPTIONS {
        return ApiError::MethodNotAllowed { method, allowed }.into_response();
    }
    let mut response = Response::new(Body::empty());
    let value = HeaderValue::try_from(&*allowed).ok();
    response.headers_mut().extend(value.map(|value| (ALLOW, value)));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn allow_lists_the_methods_of_its_path_in_one_order() {
        let allowed = |path: &str| allow(&operations_at(path)).into_owned();
        assert_eq!(allowed("/v1/store/products"), "GET, HEAD");
        for route in routes() {
            assert!(allowed(route.path).split(", ").any(|method| route.method == method), "{}", route.path);
        }
    }
}
