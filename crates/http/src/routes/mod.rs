//! The operations: one file per verb, in folders like their paths, and a table of them in each folder.
//!
//! A handler takes what the request says, calls one use case, and wraps the answer. What comes before
//! it (authentication, then the rate limit) is the guard's, by the table.

mod auth;
mod guard;
mod import_places;
mod manage;
mod path_id;
mod router;
mod spec;
mod store;
mod user;

use std::sync::Arc;

use http::Method;
use pointbook_app::{IdSource, SecretSource};

use crate::rate_limit::RateLimiter;
use crate::texts::Texts;

pub use router::{Router, router};
pub use spec::{BodyLimit, Caller, RouteSpec};

use import_places::ImportPlaces;
use path_id::{new_path_id, path_id, segment};

/// What handlers share.
pub struct HttpState {
    /// The display texts.
    pub texts: Arc<Texts>,
    /// The requests of this minute.
    pub rate_limiter: Arc<RateLimiter>,
    /// Makes the ids of what is written.
    pub ids: Arc<dyn IdSource>,
    /// Makes the tokens that are issued.
    pub secrets: Arc<dyn SecretSource>,
    /// Places for imports, whose bodies are long.
    imports: Arc<ImportPlaces>,
}

impl HttpState {
    /// The state of a server that begins: nobody has sent a request.
    pub fn new(ids: Arc<dyn IdSource>, secrets: Arc<dyn SecretSource>) -> Self {
        let (texts, rate_limiter, imports) = (Arc::default(), Arc::default(), Arc::default());
        Self { texts, rate_limiter, ids, secrets, imports }
    }
}

/// The tables of the folders.
static TABLES: [&[RouteSpec]; 10] = [
    &store::products::ROUTES,
    &store::categories::ROUTES,
    &store::orders::ROUTES,
    &user::ROUTES,
    &auth::ROUTES,
    &manage::products::ROUTES,
    &manage::categories::ROUTES,
    &manage::users::ROUTES,
    &manage::activities::ROUTES,
    &manage::orders::ROUTES,
];

/// Every operation there is. Tests of 401 and of tenant isolation are made from this table.
pub fn routes() -> impl Iterator<Item = &'static RouteSpec> + Clone {
    TABLES.iter().copied().flatten()
}

/// How much body a request to this path below a base may have, whether or not there is such a route.
pub(crate) fn body_limit(method: &Method, path: &str) -> BodyLimit {
    let is_import =
        |route: &&RouteSpec| route.body == BodyLimit::Import && route.path == path && route.method == method;
    routes().find(is_import).map_or(BodyLimit::Ordinary, |route| route.body)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn a_name_and_an_address_stand_for_one_operation() {
        let names: HashSet<_> = routes().map(|route| route.name).collect();
        let addresses: HashSet<_> = routes().map(|route| (route.method.clone(), route.path)).collect();
        assert_eq!((names.len(), addresses.len()), (routes().count(), routes().count()));
    }

    #[test]
    fn the_limit_of_imports_is_found_by_comparing_paths() {
        for route in routes().filter(|route| route.body == BodyLimit::Import) {
            assert!(!route.path.contains('{'), "{}", route.path);
            assert_eq!(body_limit(&route.method, route.path), BodyLimit::Import);
        }
        assert_eq!(body_limit(&Method::POST, "/v1/nothing"), BodyLimit::Ordinary);
    }
}
