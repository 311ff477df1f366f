//! Rules for all operations.

use std::collections::HashSet;
use std::sync::Arc;

use http::Method;
use pointbook_access::tokens::authenticate::Tokens;
use pointbook_http::kernel::BodyLimit;
use pointbook_http::rate_limit::count::Counted;
use pointbook_http::router::table::RouteTable;
use pointbook_http::{Caller, HttpState, Operations, router};
use pointbook_store::Parts;
use pointbook_testkit::{FixedSecrets, SequentialIds};

use super::{LISTED, pages, routes};

#[test]
fn a_name_and_an_address_stand_for_one_operation() {
    let names: HashSet<_> = routes().map(|route| route.name).collect();
    let addresses: HashSet<_> = routes().map(|route| (route.method.clone(), route.path)).collect();
    assert_eq!((names.len(), addresses.len()), (routes().count(), routes().count()));
}

#[test]
fn only_signing_out_and_the_back_office_are_not_counted() {
    let not_counted = routes().filter(|route| route.counted() == Counted::Never && !route.caller.is_key());
    assert_eq!(not_counted.map(|route| route.name).collect::<Vec<_>>(), ["auth.token.end"]);
    for route in routes().filter(|route| route.caller == Caller::Customer) {
        let counted = if route.method == Method::GET { Counted::Read } else { Counted::Write };
        assert_eq!(route.counted(), counted, "{}", route.name);
    }
    assert!(routes().filter(|route| route.caller.is_key()).all(|route| route.counted() == Counted::Never));
}

#[test]
fn every_operation_is_found_at_its_path() {
    let table = RouteTable::new(routes()).unwrap();
    for route in routes() {
        assert_eq!(table.find(&route.method, route.path).unwrap().name, route.name);
        let known = table.known_path(route.path).unwrap();
        assert!(known.allow.split(", ").any(|method| route.method == method), "{}", route.path);
    }
    assert!(table.find(&Method::OPTIONS, "/v1/store/products").is_none());
}

#[test]
fn an_import_may_be_long_and_nothing_else_at_its_path() {
    let router = router(
        HttpState::new(
            Arc::new(Tokens),
            Arc::new(SequentialIds::default()),
            Arc::new(FixedSecrets::default()),
            Parts::default(),
        ),
        &LISTED,
    );
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

#[test]
fn every_page_has_a_name_of_its_own_and_only_posts_change() {
    let mut names: Vec<_> = pages().map(|page| page.name).collect();
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
    assert!(pages().all(|page| [Method::GET, Method::POST].contains(&page.method)));
}
