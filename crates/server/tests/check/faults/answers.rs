//! Faults of statuses, headers and error bodies.

use pointbook_exchange::check::Json;

use super::edit::{is_categories, is_history, is_list};
use super::{Fault, in_request, in_response};
use crate::proxy::ProxiedRequest;

const ETAG: &str = "caching.etag";

const UNKNOWN_PATHS: &str = "pointbook-check-nothing";

/// Whether the header has a valid token.
fn is_good(request: &ProxiedRequest) -> bool {
    request.authorization.as_deref().is_some_and(|found| found.contains("demo-"))
}

fn let_in(request: &mut ProxiedRequest, is_intruder: fn(&str) -> bool) {
    if is_intruder(request.authorization.as_deref().unwrap_or_default()) && !is_good(request) {
        request.authorization = Some("Bearer demo-aiko".to_owned());
    }
}

pub(super) const OF_AUTH: &[Fault] = &[
    in_request(
        "any token opens",
        "auth.wrong",
        |request| let_in(request, |header| header.starts_with("Bearer")),
        |_, _, _| {},
    ),
    in_request("no token is needed", "auth.missing", |request| let_in(request, str::is_empty), |_, _, _| {}),
    in_request(
        "another scheme opens",
        "auth.scheme",
        |request| let_in(request, |header| header.starts_with("Basic")),
        |_, _, _| {},
    ),
    in_response("no token is 403", "auth.missing", |_, response, _| {
        if response.status == 401 {
            response.status = 403;
        }
    })
    .also(&["auth"]),
    in_response("no token leads to a page", "auth.missing", |request, response, _| {
        if request.authorization.is_none() {
            response.status = 302;
            response.set_header("location", "/login");
        }
    })
    .also(&["answers"]),
    in_response("Bearer is in these letters alone", "auth.scheme-case", |request, response, _| {
        if request.authorization.as_deref().is_some_and(|header| header.starts_with("bEARER")) {
            response.become_json(401, r#"{"message":"Unauthenticated."}"#);
            response.set_header("www-authenticate", "Bearer");
        }
    }),
    in_response("a 401 says something else", "auth.body", |_, response, _| {
        response.replace("Unauthenticated.", "Unauthenticated");
    }),
    in_response("a 401 has no challenge", "auth.challenge", |_, response, _| {
        response.headers.retain(|(name, _)| name != "www-authenticate");
    }),
    in_response("another user has another store", "auth.other-catalogue", |request, response, _| {
        if is_list(request) && request.authorization.as_deref() == Some("Bearer demo-ben") {
            response.edit(|json| super::edit::raise_in(json, "meta", "total", -1));
        }
    }),
];

pub(super) const OF_ERRORS: &[Fault] = &[
    in_response("an unknown path is a page", "answers.json", |request, response, _| {
        if response.status == 404 && request.path.contains(UNKNOWN_PATHS) {
            "<!DOCTYPE html><title>Not found</title>".clone_into(&mut response.body);
            response.set_header("content-type", "text/html; charset=utf-8");
        }
    })
    .also(&["errors", "detail"]),
    in_response("an unknown path says something else", "errors.path", |request, response, _| {
        if response.status == 404 && request.path.ends_with(UNKNOWN_PATHS) {
            response.become_json(404, r#"{"message":"No such route"}"#);
        }
    }),
    in_response("an unknown path is 200", "errors.path", |request, response, _| {
        if response.status == 404 && request.path.ends_with(UNKNOWN_PATHS) {
            response.status = 200;
        }
    }),
    in_response("errors are a list", "errors.body", |_, response, _| {
        if response.status == 422 {
            response.become_json(422, r#"{"message":"The given data was invalid.","errors":["No."]}"#);
        }
    }),
    in_response("errors are single strings", "errors.body", |_, response, _| {
        if response.status == 422 {
            response.become_json(422, r#"{"message":"The given data was invalid.","errors":{"sort":"No."}}"#);
        }
    }),
    in_response("a product on sale is gone", "answers.status", |request, response, _| {
        if is_list(request) && request.query_has("sort=price") {
            response.become_json(404, r#"{"message":"Not found."}"#);
        }
    }),
    in_response("a bad parameter is 400", "errors.invalid", |_, response, _| {
        if response.status == 422 {
            response.status = 400;
        }
    }),
    in_request(
        "a bad order is no order",
        "errors.invalid",
        |request| request.replace("sort=colour", "was=colour"),
        |_, _, _| {},
    ),
    in_request(
        "page 0 is page 1",
        "errors.bounds",
        |request| {
            if request.query.ends_with("%5D=0") {
                request.query.clear();
            }
        },
        |_, _, _| {},
    ),
    in_response("errors have other names", "errors.names", |_, response, _| {
        if response.status == 422 {
            response.replace(r#""page.number""#, r#""page[number]""#);
        }
    }),
    in_response("a filter is too much", "answers.failure", |request, response, _| {
        if is_list(request) && request.query_has("filter[lowStock]") {
            response.become_json(500, r#"{"message":"Server Error."}"#);
        }
    }),
];

pub(super) const OF_HEADERS: &[Fault] = &[
    in_response("JSON is called text", "answers.json", |request, response, _| {
        if is_categories(request) {
            response.set_header("content-type", "text/html");
        }
    }),
    in_response("JSON is cut", "answers.json", |request, response, _| {
        if is_history(request) && response.status == 200 {
            response.body.truncate(response.body.len() - 1);
        }
    }),
    in_response("an address has moved", "answers.direct", |request, response, _| {
        if is_categories(request) && response.status == 200 {
            response.status = 301;
            response.set_header("location", "/acme/api/v1/store/categories/");
        }
    })
    .also(&["auth"]),
    in_response("HEAD is not there", "answers.head", |request, response, _| {
        if request.method == "HEAD" {
            response.status = 405;
        }
    }),
    in_response("OPTIONS tells nothing", "answers.options", |_, response, _| {
        response.headers.retain(|(name, _)| name != "allow");
    }),
    in_response("shared caches may keep it", "caching.private", |_, response, _| {
        response.set_header("cache-control", "public, max-age=60");
    }),
    in_response("an ETag is new every time", ETAG, |request, response, origin| {
        if request.if_none_match.is_some() {
            *response = origin.send(&ProxiedRequest { if_none_match: None, ..request.clone() });
        }
    }),
    in_response("there is no ETag", ETAG, |_, response, _| {
        response.headers.retain(|(name, _)| name != "etag");
    }),
    in_response("any ETag matches", "caching.other", |request, response, _| {
        if request.if_none_match.is_some() {
            response.status = 304;
        }
    }),
    in_response("a product's own answer is JSON of nothing", "detail.shape", |request, response, _| {
        if super::edit::is_detail(request) {
            response.edit(|json| *json = Json::List(Vec::new()));
        }
    }),
];
