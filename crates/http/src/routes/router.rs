//! The router, made from the table of operations.

use std::borrow::Cow;

use http::header::ALLOW;
use http::{HeaderValue, Method, StatusCode};

use super::{HttpState, RouteSpec, guard, routes};
use crate::gateway::{Answering, Operations};
use crate::response::Response;
use crate::{ApiError, Asked};

/// All operations, by path.
pub struct Router {
    state: HttpState,
    /// Those that are one path.
    fixed: Vec<Place>,
    /// Those with a parameter, which is one segment.
    parametric: Vec<Place>,
}

/// A path and what can be done there.
struct Place {
    before: &'static str,
    /// What stands behind the parameter; none without one.
    after: Option<&'static str>,
    name: &'static str,
    operations: Vec<&'static RouteSpec>,
    allow: Cow<'static, str>,
}

/// The router of all operations. It leaves the route's name in the slot of a request, unless no route
/// has the path.
pub fn router(state: HttpState) -> Router {
    // In the order of the table, which begins with what is asked for most.
    let mut places: Vec<(&str, &str)> = Vec::new();
    for route in routes() {
        match places.iter_mut().find(|(path, _)| *path == route.path) {
            Some((_, name)) => *name = route.name,
            None => places.push((route.path, route.name)),
        }
    }
    let places = places.into_iter().map(|(path, name)| Place::new(path, name));
    let (fixed, parametric) = places.partition(|place| place.after.is_none());
    Router { state, fixed, parametric }
}

impl Router {
    fn place(&self, path: &str) -> Option<&Place> {
        let fixed = self.fixed.iter().find(|place| place.before == path);
        fixed.or_else(|| self.parametric.iter().find(|place| place.covers(path)))
    }
}

impl Operations for Router {
    fn answer<'r>(&'r self, asked: Asked<'r>) -> Answering<'r> {
        let Some(place) = self.place(asked.path) else {
            return Box::pin(std::future::ready(ApiError::NotFound.into_response()));
        };
        if let Some(route) = place.operations.iter().find(|route| route.method == asked.method) {
            return Box::pin(guard::answer(route, asked, &self.state));
        }
        asked.route.set(place.name);
        Box::pin(std::future::ready(other_method(asked.method, place.allow.clone())))
    }
}

impl Place {
    fn new(path: &'static str, name: &'static str) -> Self {
        let operations = operations_at(path);
        let allow = allow(&operations);
        let (before, after) = match path.split_once('{') {
            Some((before, rest)) => (before, rest.split_once('}').map(|(_, after)| after)),
            None => (path, None),
        };
        Self { before, after, name, operations, allow }
    }

    /// Whether a path is this one with something in place of the parameter.
    fn covers(&self, path: &str) -> bool {
        let Some((rest, after)) = path.strip_prefix(self.before).zip(self.after) else { return false };
        let parameter = rest.strip_suffix(after);
        // An empty one with something behind it is a bad id rather than another path.
        parameter.is_some_and(|parameter| !(parameter.contains('/') || rest.is_empty()))
    }
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
fn other_method(method: &Method, allowed: Cow<'static, str>) -> Response {
    if *method != Method::OPTIONS {
        return ApiError::MethodNotAllowed { method: method.clone(), allowed }.into_response();
    }
    let mut response = Response::empty(StatusCode::OK);
    let value = HeaderValue::try_from(&*allowed).ok();
    response.headers.extend(value.map(|value| (ALLOW, value)));
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

    #[test]
    fn a_parameter_is_one_segment() {
        let place = Place::new("/v1/things/{id}/tokens", "things.tokens");
        for (path, covered) in [
            ("/v1/things/a/tokens", true),
            ("/v1/things/%2F/tokens", true),
            ("/v1/things//tokens", true),
            ("/v1/things/a/b/tokens", false),
            ("/v1/things/tokens", false),
            ("/v1/things/a", false),
        ] {
            assert_eq!(place.covers(path), covered, "{path}");
        }
        assert!(!Place::new("/v1/things/{id}", "things.show").covers("/v1/things/"));
    }
}
