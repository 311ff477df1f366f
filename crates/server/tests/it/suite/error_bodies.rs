//! Which members the body of an error has, on every operation of the list and where there is no operation. A documented read, and
//! an error that no operation of pointbook owns, has exactly the documented members. Every error has its code in the header
//! `Error-Code`, and an operation of pointbook has the same code in the body.

use std::collections::BTreeSet;
use std::sync::Arc;

use http::Method;
use pointbook_http::describe::BodyDoc;
use pointbook_http::error::ErrorCode;
use pointbook_http::kernel::HttpLimits;
use pointbook_http::{Caller, RouteSpec};
use pointbook_server::slices::routes;
use pointbook_testkit::{Fault, FaultyDatabase, WriteFault};
use serde_json::json;

use super::write_requests::Shop;
use crate::client::{Answer, Call};
use crate::contract;
use crate::harness::{TestServer, base_path, concrete, patient_limits};

/// The reads of the interface, as it documents them.
const DOCUMENTED_READS: [&str; 4] = [
    "/v1/store/products",
    "/v1/store/products/{productId}",
    "/v1/store/categories",
    "/v1/user/point-history",
];

/// Whose error it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Owner {
    DocumentedRead,
    /// An operation that pointbook adds.
    Pointbook,
    Nobody,
}

use Owner::{DocumentedRead, Nobody, Pointbook};

fn owner(route: &RouteSpec) -> Owner {
    let is_documented = route.method == Method::GET && DOCUMENTED_READS.contains(&route.path);
    if is_documented { DocumentedRead } else { Pointbook }
}

/// The errors that a test has seen.
#[derive(Default)]
struct Errors(BTreeSet<(Owner, u16, String)>);

impl Errors {
    /// Checks the code and the members of an error.
    fn check(&mut self, owner: Owner, answer: &Answer, case: &str) {
        let (status, case) = (answer.status.as_u16(), format!("{case}: {}", answer.text()));
        assert!(status >= 400, "{case}: {status}");
        assert_eq!(answer.header("content-type"), Some("application/json"), "{case}");
        let code = answer.header("error-code").unwrap_or_else(|| panic!("no code: {case}")).to_owned();
        assert!(ErrorCode::ALL.iter().any(|known| known.as_str() == code), "{code}: {case}");
        let body = answer.json();
        let members: BTreeSet<&str> = body.as_object().unwrap().keys().map(String::as_str).collect();
        if owner == Pointbook {
            assert_eq!(body["code"], *code, "{case}");
            let has = ["errors", "codes"].map(|member| members.contains(member));
            assert_eq!(has, [status == 422; 2], "{case}");
        } else {
            let documented: &[&str] = match &*code {
                "product_not_found" => &["message", "success"],
                "invalid" => &["errors", "message"],
                _ => &["message"],
            };
            assert_eq!(members, documented.iter().copied().collect(), "{case}");
        }
        assert!(body["message"].as_str().is_some_and(|message| !message.is_empty()), "{case}");
        self.0.insert((owner, status, code));
    }

    /// The statuses and codes of an owner.
    fn of(&self, owner: Owner) -> Vec<(u16, &str)> {
        let of_owner = self.0.iter().filter(|(other, ..)| *other == owner);
        of_owner.map(|(_, status, code)| (*status, &**code)).collect()
    }
}

/// A request for an operation, without a token.
fn call(server: &TestServer, route: &RouteSpec, more: &str) -> Call {
    let path = format!("{}{}{more}", base_path(), concrete(route.path));
    Call::new(server.address(), route.method.clone(), path)
}

/// Sends the head of a request, with these lines behind the first one.
async fn head(server: &TestServer, method: &Method, target: &str, lines: &str) -> Answer {
    let head = format!("{method} {target} HTTP/1.1\r\nConnection: close\r\n{lines}\r\n");
    contract::response(server.raw(head.as_bytes()).await.as_bytes()).unwrap()
}

/// The errors that the gateway gives before it looks for an operation: the host, the length of the body, the length of the URI.
async fn check_gateway(errors: &mut Errors, server: &TestServer, owner: Owner, method: &Method, path: &str) {
    let target = format!("{}{path}", base_path());
    let long = format!("{target}?{}", "x".repeat(8_192));
    for (target, lines, status) in [
        (&target, "", 400),
        (&target, "Host: x\r\nContent-Length: 99999999999\r\n", 413),
        (&long, "Host: x\r\n", 414),
    ] {
        let answer = head(server, method, target, lines).await;
        let case = format!("{method} {path}");
        assert_eq!(answer.status, status, "{case}");
        errors.check(owner, &answer, &case);
    }
}

/// Errors of the sender, of the parameters and of the object, as far as the operation has them.
async fn check_operation(errors: &mut Errors, server: &TestServer, route: &RouteSpec) {
    let (owner, token) = (owner(route), server.issue_to("shop", route.caller).await);
    let mut check = |status: Option<u16>, answer: &Answer| {
        assert!(status.is_none_or(|status| answer.status == status), "{}: {}", route.name, answer.text());
        if answer.status.as_u16() >= 400 {
            errors.check(owner, answer, route.name);
        }
    };
    check(Some(401), &call(server, route, "").send().await);
    let (wrong, status) = match route.caller {
        Caller::Customer => (server.issue_super_user().await, Some(401)),
        Caller::Key(_) | Caller::KeyOfBoth(_) => (server.issue("u1").await, Some(403)),
        Caller::Anyone => (server.issue_revoked("u1").await, Some(401)),
    };
    check(status, &call(server, route, "").bearer(&wrong).send().await);
    let many = format!("?{}", "x=1&".repeat(1_001));
    check(Some(422), &call(server, route, &many).bearer(&token).send().await);
    let takes_no_body = matches!((route.documentation)().body, BodyDoc::None);
    for body in if takes_no_body { &[""][..] } else { &["", "{", r#"{"no_such_field":1}"#] } {
        let call = call(server, route, "").bearer(&token).header("content-type", "application/json");
        check(None, &call.body(*body).send().await);
    }
    server.revoke_keys_of("shop").await;
}

#[tokio::test]
async fn every_operation_and_every_path_of_none_has_the_members_of_its_owner() {
    let (server, mut errors) = (TestServer::with_sample().await, Errors::default());
    for route in routes() {
        let path = concrete(route.path);
        // A body of an unknown path or method gets no further than the gateway, either.
        check_gateway(&mut errors, &server, owner(route), &route.method, &path).await;
        check_gateway(&mut errors, &server, Nobody, &Method::TRACE, &path).await;
        check_operation(&mut errors, &server, route).await;
        for (method, path) in
            [(Method::TRACE, path.clone()), (route.method.clone(), format!("{path}/no/such/path"))]
        {
            let call = Call::new(server.address(), method, format!("{}{path}", base_path()));
            errors.check(Nobody, &call.send().await, &path);
        }
        let stranger = Call::new(server.address(), route.method.clone(), format!("/stranger/api{path}"));
        errors.check(Nobody, &stranger.send().await, &path);
    }
    for path in [
        "/v1/store/products/nothing",
        "/v1/store/products?page[number]=x",
        "/v1/user/point-history?page[number]=0",
    ] {
        let token = server.issue("u2").await;
        errors.check(DocumentedRead, &server.call(path).bearer(&token).send().await, path);
    }
    for path in ["/pictures/nothing.webp", "/pictures/00000000000000000000000000000000.webp"] {
        errors.check(Nobody, &server.get(path).await, path);
    }
    for path in ["/", "/shop/nothing"] {
        errors.check(Nobody, &server.call_at(path).header("accept", "application/json").send().await, path);
    }
    for path in ["/healthz", "/openapi.json"] {
        let posted = Call::new(server.address(), Method::POST, path).send().await;
        errors.check(Nobody, &posted, path);
    }
    assert_eq!(
        errors.of(DocumentedRead),
        [
            (400, "invalid_host"),
            (401, "unauthenticated"),
            (404, "product_not_found"),
            (413, "payload_too_large"),
            (414, "uri_too_long"),
            (422, "invalid"),
        ]
    );
    assert_eq!(
        errors.of(Nobody),
        [
            (400, "invalid_host"),
            (404, "not_found"),
            (404, "unknown_base_url"),
            (404, "unknown_route"),
            (405, "method_not_allowed"),
            (413, "payload_too_large"),
            (414, "uri_too_long"),
        ]
    );
    assert_eq!(
        errors.of(Pointbook),
        [
            (400, "invalid_host"),
            (400, "malformed_json"),
            (401, "unauthenticated"),
            (403, "forbidden"),
            (404, "not_found"),
            (413, "payload_too_large"),
            (414, "uri_too_long"),
            (415, "unsupported_media_type"),
            (422, "invalid"),
        ]
    );
}

#[tokio::test]
async fn a_used_up_rate_limit_has_the_members_of_its_owner() {
    let (server, mut errors) = (TestServer::with_sample().await, Errors::default());
    server.set("rate_limit_reads_per_minute", "1").await;
    server.set("rate_limit_writes_per_minute", "1").await;
    assert_eq!(server.get("/v1/store/products").await.status, 200);
    server.post("/v1/store/orders", server.token()).body("{").send().await;
    for route in routes().filter(|route| route.caller == Caller::Customer) {
        let answer = call(&server, route, "").bearer(server.token()).send().await;
        errors.check(owner(route), &answer, route.name);
    }
    let expected = (429, "rate_limited");
    assert_eq!((errors.of(DocumentedRead), errors.of(Pointbook)), (vec![expected], vec![expected]));
}

/// The first operation of each method, and the documented reads.
fn some_routes() -> impl Iterator<Item = &'static RouteSpec> {
    let mut methods = BTreeSet::new();
    routes().filter(move |route| owner(route) == DocumentedRead || methods.insert(route.method.to_string()))
}

#[tokio::test]
async fn an_overloaded_server_knows_the_owner_of_an_error() {
    let limits = HttpLimits { max_concurrent_requests: 0, ..patient_limits() };
    let (server, mut errors) = (TestServer::start_with(limits, |database| database).await, Errors::default());
    for route in some_routes() {
        errors.check(owner(route), &call(&server, route, "").send().await, route.name);
    }
    errors.check(Nobody, &server.get("/v1/nothing").await, "an unknown path");
    errors.check(Nobody, &server.call_at("/openapi.json").send().await, "a document");
    let unavailable = vec![(503, "unavailable")];
    for owner in [DocumentedRead, Pointbook, Nobody] {
        assert_eq!(errors.of(owner), unavailable, "{owner:?}");
    }
}

#[tokio::test]
async fn a_failed_read_has_the_documented_members() {
    let mut errors = Errors::default();
    for fault in [Fault::Panic, Fault::Fail, Fault::Unavailable, Fault::Hang] {
        let server =
            TestServer::start_on(move |database| Arc::new(FaultyDatabase::new(database, fault))).await;
        let path = "/v1/user/point-history";
        errors.check(DocumentedRead, &server.get(path).await, path);
    }
    assert_eq!(errors.of(DocumentedRead), [(500, "server_error"), (503, "unavailable")]);
}

/// The server makes the `ETag` of a read from a secret in the database, after the operation.
#[tokio::test]
async fn a_read_whose_tag_cannot_be_made_has_the_members_of_its_owner() {
    let mut errors = Errors::default();
    for fault in [Fault::Fail, Fault::Unavailable] {
        for (owner, path) in [
            (DocumentedRead, "/v1/store/products"),
            (DocumentedRead, "/v1/store/products/mug"),
            (DocumentedRead, "/v1/store/categories"),
            (DocumentedRead, "/v1/user/point-history"),
            (Pointbook, "/v1/user"),
        ] {
            let (server, _, faulty) = TestServer::with_faults().await;
            server.add_product("mug").await;
            faulty.fail_secret(Some(fault));
            errors.check(owner, &server.get(path).await, path);
        }
    }
    let failures = [(500, "server_error"), (503, "unavailable")];
    assert_eq!((errors.of(DocumentedRead), errors.of(Pointbook)), (failures.to_vec(), failures.to_vec()));
}

#[tokio::test]
async fn a_failed_write_has_its_code_in_the_body_too() {
    let (shop, mut errors) = (Shop::open().await, Errors::default());
    for fault in [Fault::Fail, Fault::Panic, Fault::Unavailable] {
        shop.faulty.fail_next_write(Some(WriteFault::Before(fault)));
        let order = shop.server.post("/v1/store/orders", shop.server.token());
        let answer = order.json(&json!({"product_id": "mug"})).send().await;
        errors.check(Pointbook, &answer, "an order");
    }
    assert_eq!(errors.of(Pointbook), [(500, "server_error"), (503, "unavailable")]);
}

/// A kept refusal has only a status and a body, or only a number.
#[tokio::test]
async fn a_repeated_refusal_has_its_code_again() {
    let (shop, mut errors) = (Shop::open().await, Errors::default());
    let (server, office) = (&shop.server, shop.server.issue_super_user().await);
    let customer = server.token();
    let bought = server.production().data.entries_after(None, 10).await.unwrap();
    let of_order =
        &bought.iter().find(|entry| entry.transaction.activity.kind.as_str() == "order").unwrap().transaction;
    let reversal = format!("/v1/manage/users/u1/transactions/{}/reverse", of_order.id);
    let reason = json!({"reason": "A mistake"});
    for (path, token, body) in
        [("/v1/store/orders", customer, json!({"product_id": "nothing"})), (&*reversal, &*office, reason)]
    {
        let ask = || server.post(path, token).key("k").json(&body).send();
        let (first, again) = (ask().await, ask().await);
        assert_eq!((again.status, again.text()), (first.status, first.text()), "{path}");
        assert_eq!(again.header("idempotency-replayed"), Some("true"), "{path}");
        errors.check(Pointbook, &again, path);
    }
    assert_eq!(errors.of(Pointbook), [(409, "transaction_of_order"), (422, "invalid")]);
}

#[tokio::test]
async fn a_head_of_an_error_has_the_code() {
    let server = TestServer::with_sample().await;
    for (path, status, code) in [
        ("/v1/store/products/nothing", 404, "product_not_found"),
        ("/v1/store/products?sort=x", 422, "invalid"),
        ("/v1/store/orders/nothing", 404, "not_found"),
        ("/v1/nothing", 404, "unknown_route"),
    ] {
        let answer = server.request(Method::HEAD, path, server.token()).send().await;
        let found = (answer.status.as_u16(), answer.header("error-code"), answer.body.len());
        assert_eq!(found, (status, Some(code), 0), "{path}");
    }
    let answer = server.get("/v1/store/products").await;
    assert_eq!(answer.header("error-code"), None);
}

#[tokio::test]
async fn scripts_of_other_origins_may_read_the_code() {
    let server = TestServer::start().await;
    let call = server.call("/v1/store/products/nothing").header("origin", "https://app.example");
    let answer = call.bearer(server.token()).send().await;
    let exposed = answer.header("access-control-expose-headers").unwrap();
    assert!(exposed.split(", ").any(|name| name == "Error-Code"), "{exposed}");
}
