//! The router, made from the table of operations.

pub mod table;

use std::borrow::Cow;

use http::header::ALLOW;
use http::{HeaderValue, Method, StatusCode};
use pointbook_store::Service;

use self::table::RouteTable;
use crate::error::{ApiError, ErrorShape};
use crate::guard;
use crate::kernel::{Answering, BodyLimit, Response};
use crate::listed::{FileRoute, Listed};
use crate::site::{Operations, SiteRequest};
use crate::state::HttpState;

/// All operations, by path.
pub struct Router {
    state: HttpState,
    table: RouteTable,
    listed: &'static Listed,
}

/// The router of all operations. It puts the name of the route into the slot of the request, if a route has the path.
///
/// # Panics
/// When two routes match the same request. A unit test rules that out.
#[expect(clippy::expect_used, reason = "the routes are static, and a unit test makes a table of all of them")]
pub fn router(state: HttpState, listed: &'static Listed) -> Router {
    let table = RouteTable::new(listed.routes()).expect("no two routes are for the same request");
    Router { state, table, listed }
}

impl Operations for Router {
    fn listed(&self) -> &'static Listed {
        self.listed
    }

    fn body_limit(&self, method: &Method, path: &str) -> BodyLimit {
        self.table.find(method, path).map_or(BodyLimit::Ordinary, |route| route.body)
    }

    fn error_shape(&self, method: &Method, path: &str) -> ErrorShape {
        let route = self.table.find(method, path);
        route.map_or(ErrorShape::Documented, |route| self.table.error_shape(route))
    }

    fn answer<'r>(&'r self, request: SiteRequest<'r>, service: &'r Service) -> Answering<'r> {
        if let Some(route) = self.table.find(request.method, request.path) {
            return Box::pin(async move {
                let answer = guard::answer(route, request, service, &self.state).await;
                answer.unwrap_or_else(|error| error.into_response(self.table.error_shape(route)))
            });
        }
        let file = |route: &'static FileRoute| Some((route, request.path.strip_prefix(route.prefix)?));
        if let Some((files, file)) = self.listed.files.iter().find_map(file) {
            let _ = request.route.set(files.name);
            return match *request.method {
                Method::GET => (files.answer)(file, request, &self.state),
                _ => Box::pin(std::future::ready(other_method(request.method, "GET, HEAD".into()))),
            };
        }
        let response = match self.table.known_path(request.path) {
            Some(known) => {
                let _ = request.route.set(known.name);
                other_method(request.method, known.allow.clone())
            }
            None => ApiError::UnknownRoute.into_response(ErrorShape::Documented),
        };
        Box::pin(std::future::ready(response))
    }
}

/// The response to a method that the path does not have. OPTIONS lists the methods.
fn other_method(method: &Method, allowed: Cow<'static, str>) -> Response {
    if *method != Method::OPTIONS {
        let error = ApiError::MethodNotAllowed { method: method.clone(), allowed };
        return error.into_response(ErrorShape::Documented);
    }
    let mut response = Response::empty(StatusCode::OK);
    let value = HeaderValue::try_from(&*allowed).ok();
    response.headers.extend(value.map(|value| (ALLOW, value)));
    response
}
