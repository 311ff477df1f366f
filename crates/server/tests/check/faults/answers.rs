//! Statuses, headers and bodies of errors that are not as documented.

use pointbook_check::Json;

use super::edit::{is_categories, is_history, is_list};
use super::{Fault, heard, told};
use crate::proxy::ApiRequest;

const ETAG: &str = "caching.etag";

const UNKNOWN_PATHS: &str = "pointbook-check-nothing";

/// Whether the header opens something.
fn is_good(asked: &ApiRequest) -> bool {
    asked.authorization.as_deref().is_some_and(|found| found.contains("demo-"))
}

fn let_in(asked: &mut ApiRequest, is_intruder: fn(&str) -> bool) {
    if is_intruder(asked.authorization.as_deref().unwrap_or_default()) && !is_good(asked) {
        asked.authorization = Some("Bearer demo-aiko".to_owned());
    }
}

pub(super) const OF_AUTH: &[Fault] = &[
    heard(
        "any token opens",
        "auth.wrong",
        |asked| let_in(asked, |header| header.starts_with("Bearer")),
        |_, _, _| {},
    ),
    heard("no token is needed", "auth.missing", |asked| let_in(asked, str::is_empty), |_, _, _| {}),
    heard(
        "another scheme opens",
        "auth.scheme",
        |asked| let_in(asked, |header| header.starts_with("Basic")),
        |_, _, _| {},
    ),
    told("no token is 403", "auth.missing", |_, told, _| {
        if told.status == 401 {
            told.status = 403;
        }
    })
    .also(&["auth"]),
    told("no token leads to a page", "auth.missing", |asked, told, _| {
        if asked.authorization.is_none() {
            told.status = 302;
            told.set_header("location", "/login");
        }
    })
    .also(&["answers"]),
    told("Bearer is in these letters alone", "auth.scheme-case", |asked, told, _| {
        if asked.authorization.as_deref().is_some_and(|header| header.starts_with("bEARER")) {
            told.become_json(401, r#"{"message":"Unauthenticated."}"#);
            told.set_header("www-authenticate", "Bearer");
        }
    }),
    told("a 401 says something else", "auth.body", |_, told, _| {
        told.replace("Unauthenticated.", "Unauthenticated");
    }),
    told("a 401 has no challenge", "auth.challenge", |_, told, _| {
        told.headers.retain(|(name, _)| name != "www-authenticate");
    }),
    told("another user has another store", "auth.other-catalogue", |asked, told, _| {
        if is_list(asked) && asked.authorization.as_deref() == Some("Bearer demo-ben") {
            told.edit(|json| super::edit::raise_in(json, "meta", "total", -1));
        }
    }),
];

pub(super) const OF_ERRORS: &[Fault] = &[
    told("an unknown path is a page", "answers.json", |asked, told, _| {
        if told.status == 404 && asked.path.contains(UNKNOWN_PATHS) {
            "<!DOCTYPE html><title>Not found</title>".clone_into(&mut told.body);
            told.set_header("content-type", "text/html; charset=utf-8");
        }
    })
    .also(&["errors", "detail"]),
    told("an unknown path says something else", "errors.path", |asked, told, _| {
        if told.status == 404 && asked.path.ends_with(UNKNOWN_PATHS) {
            told.become_json(404, r#"{"message":"No such route"}"#);
        }
    }),
    told("an unknown path is 200", "errors.path", |asked, told, _| {
        if told.status == 404 && asked.path.ends_with(UNKNOWN_PATHS) {
            told.status = 200;
        }
    }),
    told("errors are a list", "errors.body", |_, told, _| {
        if told.status == 422 {
            told.become_json(422, r#"{"message":"The given data was invalid.","errors":["No."]}"#);
        }
    }),
    told("errors are single strings", "errors.body", |_, told, _| {
        if told.status == 422 {
            told.become_json(422, r#"{"message":"The given data was invalid.","errors":{"sort":"No."}}"#);
        }
    }),
    told("a product on sale is gone", "answers.status", |asked, told, _| {
        if is_list(asked) && asked.asks("sort=price") {
            told.become_json(404, r#"{"message":"Not found."}"#);
        }
    }),
    told("a bad parameter is 400", "errors.invalid", |_, told, _| {
        if told.status == 422 {
            told.status = 400;
        }
    }),
    heard(
        "a bad order is no order",
        "errors.invalid",
        |asked| asked.replace("sort=colour", "was=colour"),
        |_, _, _| {},
    ),
    heard(
        "page 0 is page 1",
        "errors.bounds",
        |asked| {
            if asked.query.ends_with("%5D=0") {
                asked.query.clear();
            }
        },
        |_, _, _| {},
    ),
    told("errors have other names", "errors.names", |_, told, _| {
        if told.status == 422 {
            told.replace(r#""page.number""#, r#""page[number]""#);
        }
    }),
    told("a filter is too much", "answers.failure", |asked, told, _| {
        if is_list(asked) && asked.asks("filter[lowStock]") {
            told.become_json(500, r#"{"message":"Server Error."}"#);
        }
    }),
];

pub(super) const OF_HEADERS: &[Fault] = &[
    told("JSON is called text", "answers.json", |asked, told, _| {
        if is_categories(asked) {
            told.set_header("content-type", "text/html");
        }
    }),
    told("JSON is cut", "answers.json", |asked, told, _| {
        if is_history(asked) && told.status == 200 {
            told.body.truncate(told.body.len() - 1);
        }
    }),
    told("an address has moved", "answers.direct", |asked, told, _| {
        if is_categories(asked) && told.status == 200 {
            told.status = 301;
            told.set_header("location", "/acme/api/v1/store/categories/");
        }
    })
    .also(&["auth"]),
    told("HEAD is not there", "answers.head", |asked, told, _| {
        if asked.method == "HEAD" {
            told.status = 405;
        }
    }),
    told("OPTIONS tells nothing", "answers.options", |_, told, _| {
        told.headers.retain(|(name, _)| name != "allow");
    }),
    told("shared caches may keep it", "caching.private", |_, told, _| {
        told.set_header("cache-control", "public, max-age=60");
    }),
    told("an ETag is new every time", ETAG, |asked, told, origin| {
        if asked.if_none_match.is_some() {
            *told = origin.ask(&ApiRequest { if_none_match: None, ..asked.clone() });
        }
    }),
    told("there is no ETag", ETAG, |_, told, _| told.headers.retain(|(name, _)| name != "etag")),
    told("any ETag matches", "caching.other", |asked, told, _| {
        if asked.if_none_match.is_some() {
            told.status = 304;
        }
    }),
    told("a product's own answer is JSON of nothing", "detail.shape", |asked, told, _| {
        if super::edit::is_detail(asked) {
            told.edit(|json| *json = Json::List(Vec::new()));
        }
    }),
];
