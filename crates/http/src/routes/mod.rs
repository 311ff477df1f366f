//! The operations: one file per verb, in folders like their paths, and the table of all of them.
//!
//! A handler takes what the request says, calls one use case, and wraps the answer. What comes before
//! it (authentication, then the rate limit) is the guard's, by the table.

mod guard;
mod router;
mod store;
mod user;

use std::sync::Arc;

use axum::routing::{MethodFilter, MethodRouter, on};
use http::Method;

use crate::rate_limit::RateLimiter;
use crate::texts::Texts;

pub use router::router;

use guard::Guarded;

/// What handlers share; a clone is cheap.
#[derive(Clone, Default)]
pub struct HttpState {
    /// The display texts.
    pub texts: Arc<Texts>,
    /// The requests of this minute.
    pub rate_limiter: Arc<RateLimiter>,
}

impl HttpState {
    /// The state of a server that begins: nobody has sent a request.
    pub fn new() -> Self {
        Self::default()
    }
}

/// Whose token an operation takes. Everyone else gets 401.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Caller {
    /// A customer.
    Customer,
}

/// One operation.
#[derive(Debug)]
pub struct RouteSpec {
    /// Its name in metrics, logs and tests.
    pub name: &'static str,
    /// Its method; a GET also answers HEAD.
    pub method: Method,
    /// Its path below a tenant's base URL, with parameters in braces.
    pub path: &'static str,
    /// The methods of this path, as `Allow` lists them.
    pub allow: &'static str,
    /// Who may call it.
    pub caller: Caller,
    mount: fn(&'static Self) -> MethodRouter<HttpState>,
}

const READ_ONLY: &str = "GET, HEAD";

/// Every operation there is. Tests of 401 and of tenant isolation are made from this table.
pub fn routes() -> &'static [RouteSpec] {
    &ROUTES
}

static ROUTES: [RouteSpec; 4] = [
    RouteSpec {
        name: "store.products.list",
        method: Method::GET,
        path: store::products::list::PATH,
        allow: READ_ONLY,
        caller: Caller::Customer,
        mount: |route| on(MethodFilter::GET, Guarded::new(route, store::products::list::list)),
    },
    RouteSpec {
        name: "store.products.show",
        method: Method::GET,
        path: "/v1/store/products/{product_id}",
        allow: READ_ONLY,
        caller: Caller::Customer,
        mount: |route| on(MethodFilter::GET, Guarded::new(route, store::products::show::show)),
    },
    RouteSpec {
        name: "store.categories.list",
        method: Method::GET,
        path: "/v1/store/categories",
        allow: READ_ONLY,
        caller: Caller::Customer,
        mount: |route| on(MethodFilter::GET, Guarded::new(route, store::categories::list::list)),
    },
    RouteSpec {
        name: "user.point_history",
        method: Method::GET,
        path: "/v1/user/point-history",
        allow: READ_ONLY,
        caller: Caller::Customer,
        mount: |route| on(MethodFilter::GET, Guarded::new(route, user::point_history::point_history)),
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn allow_lists_the_methods_of_its_path() {
        for route in routes() {
            let mut expected = Vec::new();
            for other in routes().iter().filter(|other| other.path == route.path) {
                expected.push(other.method.as_str());
                expected.extend((other.method == Method::GET).then_some("HEAD"));
            }
            let mut listed: Vec<_> = route.allow.split(", ").collect();
            expected.sort_unstable();
            listed.sort_unstable();
            assert_eq!(listed, expected, "{}", route.path);
        }
    }

    #[test]
    fn a_name_stands_for_one_operation() {
        let names: std::collections::HashSet<_> = routes().iter().map(|route| route.name).collect();
        assert_eq!(names.len(), routes().len());
    }
}
