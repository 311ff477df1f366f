//! 401 for every route of the table and every kind of invalid token.

use http::Method;
use pointbook_http::{Caller, RouteSpec};
use pointbook_server::slices::routes;

use crate::client::{Answer, Call};
use crate::harness::{TestServer, base_path, concrete};

fn assert_unauthenticated(answer: &Answer, route: &RouteSpec, case: &str) {
    assert_eq!(answer.status, 401, "{case}");
    let is_documented = (route.documentation)().is_documented;
    let code = if is_documented { "" } else { r#","code":"unauthenticated""# };
    assert_eq!(answer.text(), format!(r#"{{"message":"Unauthenticated."{code}}}"#), "{case}");
    assert_eq!(answer.header("error-code"), Some("unauthenticated"), "{case}");
    assert_eq!(answer.header("www-authenticate"), Some("Bearer"), "{case}");
    assert_eq!(answer.header("etag"), None, "{case}");
}

#[tokio::test]
async fn every_route_refuses_invalid_tokens_with_the_same_response() {
    let server = TestServer::with_sample().await;
    let expired = server.issue_expired("u1").await;
    let revoked = server.issue_revoked("u1").await;
    for route in routes() {
        let good = server.issue_to("shop", route.caller).await;
        let staging = server.issue_to("shop/staging", route.caller).await;
        for (case, headers) in [
            ("an unknown token", vec!["Bearer stranger".to_owned()]),
            ("no header", vec![]),
            ("an empty token", vec!["Bearer ".to_owned()]),
            ("no scheme", vec![good.clone()]),
            ("another scheme", vec![format!("Basic {good}")]),
            ("two headers", vec![format!("Bearer {good}"); 2]),
            ("an expired token", vec![format!("Bearer {expired}")]),
            ("a revoked token", vec![format!("Bearer {revoked}")]),
            ("another environment's token", vec![format!("Bearer {staging}")]),
        ] {
            let call = headers
                .into_iter()
                .fold(call(&server, route), |call, value| call.header("authorization", value));
            assert_unauthenticated(&call.send().await, route, &format!("{case} on {}", route.name));
        }
        // A tenant has a bounded number of keys.
        server.revoke_keys_of("shop").await;
        server.revoke_keys_of("shop/staging").await;
    }
}

/// A request of an operation, without a token and a body.
fn call(server: &TestServer, route: &RouteSpec) -> Call {
    let path = format!("{}{}", base_path(), concrete(route.path));
    Call::new(server.address(), route.method.clone(), path)
}

#[tokio::test]
async fn a_good_token_of_the_wrong_kind_is_401_for_customers_and_403_for_the_back_office() {
    let server = TestServer::with_sample().await;
    for route in routes() {
        let customer = server.issue("u1").await;
        match route.caller {
            Caller::Customer => {
                let back_office = server.issue_super_user().await;
                let answer = call(&server, route).bearer(&back_office).send().await;
                assert_unauthenticated(&answer, route, route.name);
            }
            Caller::Key(_) | Caller::KeyOfBoth(_) => {
                let answer = call(&server, route).bearer(&customer).send().await;
                let expected = (403, r#"{"message":"This action is unauthorized.","code":"forbidden"}"#);
                assert_eq!((answer.status.as_u16(), answer.text()), expected, "{}", route.name);
            }
            Caller::Anyone => {
                for token in [customer, server.issue_super_user().await] {
                    let status = call(&server, route).bearer(&token).send().await.status.as_u16();
                    assert!(![401, 403].contains(&status), "{}: {status}", route.name);
                }
            }
        }
    }
}

#[tokio::test]
async fn only_customers_are_counted() {
    let server = TestServer::with_sample().await;
    server.set("rate_limit_reads_per_minute", "1").await;
    server.set("rate_limit_writes_per_minute", "1").await;
    let back_office = server.issue_super_user().await;
    for route in routes() {
        server.advance_seconds(60);
        let mut limited = false;
        for _ in 0..3 {
            // The limit is per user, not per token.
            let token = match route.caller {
                Caller::Key(_) | Caller::KeyOfBoth(_) => back_office.clone(),
                Caller::Customer | Caller::Anyone => server.issue_to("shop", route.caller).await,
            };
            limited = call(&server, route).bearer(&token).send().await.status == 429;
        }
        assert_eq!(limited, route.caller == Caller::Customer, "{}", route.name);
    }
}

#[tokio::test]
async fn customers_are_limited_by_default() {
    let server = TestServer::with_sample().await;
    let mut statuses = Vec::new();
    for _ in 0..=120 {
        statuses.push(server.post("/v1/store/orders", server.token()).body("{").send().await.status.as_u16());
    }
    assert_eq!((statuses[0], statuses[119], statuses[120]), (400, 400, 429));
    assert_eq!(server.get("/v1/user").await.status, 200, "reads are counted apart");
    for _ in 1..1_200 {
        assert_eq!(server.get("/v1/user").await.status, 200);
    }
    assert_eq!(server.get("/v1/user").await.status, 429);
    let head = Call::new(server.address(), Method::HEAD, format!("{}/v1/user", base_path()));
    assert_eq!(head.bearer(server.token()).send().await.status, 429, "a HEAD is a read");
}

#[tokio::test]
async fn rate_limit_of_0_is_unlimited() {
    let server = TestServer::start().await;
    server.set("rate_limit_writes_per_minute", "0").await;
    for _ in 0..=120 {
        assert_eq!(server.post("/v1/store/orders", server.token()).body("{").send().await.status, 400);
    }
}

#[tokio::test]
async fn a_customer_who_is_limited_can_still_sign_out() {
    let server = TestServer::start().await;
    server.set("rate_limit_reads_per_minute", "1").await;
    server.set("rate_limit_writes_per_minute", "1").await;
    let token = server.issue("u1").await;
    let order = async || server.post("/v1/store/orders", &token).body("{").send().await.status;
    assert_eq!((order().await.as_u16(), order().await.as_u16()), (400, 429));
    let sign_out = Call::new(server.address(), Method::DELETE, format!("{}/v1/auth/token", base_path()));
    let answer = sign_out.bearer(&token).send().await;
    assert_eq!((answer.status.as_u16(), answer.text()), (200, r#"{"success":true}"#));
    assert_eq!(order().await, 401);
}

#[tokio::test]
async fn without_a_token_the_route_is_checked_and_nothing_behind_it() {
    let server = TestServer::start().await;
    for (name, path) in [
        ("store.products.list", "/v1/store/products?page[number]=x"),
        ("store.products.show", "/v1/store/products/nothing"),
    ] {
        let route = routes().find(|route| route.name == name).unwrap();
        assert_unauthenticated(&server.call(path).send().await, route, path);
    }
    assert_eq!(server.call("/v1/nothing").send().await.status, 404);
    for route in routes() {
        let path = format!("{}{}", base_path(), concrete(route.path));
        let answer = Call::new(server.address(), http::Method::TRACE, path).send().await;
        let allow = answer.header("allow").unwrap_or_default();
        assert_eq!(answer.status, 405, "{}", route.name);
        assert!(allow.split(", ").any(|method| route.method == method), "{}: {allow}", route.name);
    }
}
