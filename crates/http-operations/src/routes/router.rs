//! The router, made from the table of operations.

use std::borrow::Cow;

use http::header::ALLOW;
use http::{HeaderValue, Method, StatusCode};
use pointbook_endpoint_kit::{ApiError, ApiRequest, HttpState, guard};
use pointbook_http::kernel::{Answering, BodyLimit, Response};

use super::picture_file::PicturePermits;
use super::table::RouteTable;
use super::{picture_file, routes};
use crate::site::Operations;

/// All operations, by path.
pub struct Router {
    state: HttpState,
    table: RouteTable,
    pictures: PicturePermits,
}

/// The router of all operations. It puts the name of the route into the slot of the request, if a route has the path.
///
/// # Panics
/// When two routes match the same request. A unit test rules that out.
#[expect(clippy::expect_used, reason = "the routes are static, and a unit test makes a table of all of them")]
pub fn router(state: HttpState) -> Router {
    let table = RouteTable::new(routes()).expect("no two routes are for the same request");
    Router { state, table, pictures: PicturePermits::default() }
}

impl Operations for Router {
    fn body_limit(&self, method: &Method, path: &str) -> BodyLimit {
        self.table.find(method, path).map_or(BodyLimit::Ordinary, |route| route.body)
    }

    fn answer<'r>(&'r self, request: ApiRequest<'r>) -> Answering<'r> {
        if let Some(route) = self.table.find(request.method, request.path) {
            return Box::pin(guard::answer(route, request, &self.state));
        }
        if let Some(file) = request.path.strip_prefix(pointbook_domain::picture::FOLDER) {
            let _ = request.route.set(picture_file::NAME);
            return match *request.method {
                Method::GET => Box::pin(picture_file::answer(file, request, &self.pictures)),
                _ => Box::pin(std::future::ready(other_method(request.method, "GET, HEAD".into()))),
            };
        }
        let response = match self.table.known_path(request.path) {
            Some(known) => {
                let _ = request.route.set(known.name);
                other_method(request.method, known.allow.clone())
            }
            None => ApiError::UnknownRoute.into_response(),
        };
        Box::pin(std::future::ready(response))
    }
}

/// The response to a method that the path does not have. OPTIONS lists the methods.
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
    use std::sync::Arc;

    use pointbook_deliveries::{AddressPolicy, Outbox};
    use pointbook_testkit::{FixedSecrets, SequentialIds};

    use super::*;

    #[test]
    fn an_import_may_be_long_and_nothing_else_at_its_path() {
        let router = router(HttpState::new(
            Arc::new(SequentialIds::default()),
            Arc::new(FixedSecrets::default()),
            Arc::new(Outbox::open(AddressPolicy::default()).unwrap()),
        ));
        for (method, path, limit) in [
            (Method::POST, "/v1/manage/products/import", BodyLimit::Import),
            (Method::POST, "/v1/manage/activities/import", BodyLimit::Import),
            (Method::POST, "/v1/manage/users/import", BodyLimit::Import),
            (Method::POST, "/v1/manage/pictures", BodyLimit::Bytes(2 * 1024 * 1024)),
            (Method::PUT, "/v1/manage/products/import", BodyLimit::Ordinary),
            (Method::POST, "/v1/manage/products/mug/stock", BodyLimit::Ordinary),
            (Method::POST, "/v1/nothing", BodyLimit::Ordinary),
        ] {
            assert_eq!(router.body_limit(&method, path), limit, "{method} {path}");
        }
    }
}
