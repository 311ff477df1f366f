//! 401, for every route in the table, in every way a token can be no good.

use pointbook_http::routes::routes;

use crate::client::{Answer, Call};
use crate::harness::{TestServer, base_path, concrete};

fn assert_unauthenticated(answer: &Answer, case: &str) {
    assert_eq!(answer.status, 401, "{case}");
    assert_eq!(answer.text(), r#"{"message":"Unauthenticated."}"#, "{case}");
    assert_eq!(answer.header("www-authenticate"), Some("Bearer"), "{case}");
    assert_eq!(answer.header("etag"), None, "{case}");
}

#[tokio::test]
async fn every_route_refuses_what_is_no_good_token_with_one_and_the_same_answer() {
    let server = TestServer::with_sample().await;
    let bad = [
        ("an unknown token", Some(vec!["Bearer nobody".to_owned()])),
        ("no header", None),
        ("an empty token", Some(vec!["Bearer ".to_owned()])),
        ("no scheme", Some(vec![server.token().to_owned()])),
        ("another scheme", Some(vec![format!("Basic {}", server.token())])),
        ("two headers", Some(vec![format!("Bearer {}", server.token()); 2])),
        ("an expired token", Some(vec![format!("Bearer {}", server.issue_expired("u1").await)])),
        ("a revoked token", Some(vec![format!("Bearer {}", server.issue_revoked("u1").await)])),
        ("a super-user token", Some(vec![format!("Bearer {}", server.issue_super_user().await)])),
        (
            "another environment's token",
            Some(vec![format!("Bearer {}", server.issue_in_staging("u1").await)]),
        ),
    ];
    for route in routes() {
        for (case, headers) in &bad {
            let path = format!("{}{}", base_path(), concrete(route.path));
            let mut call = Call::new(server.address(), http::Method::GET, path);
            for value in headers.iter().flatten() {
                call = call.header("authorization", value);
            }
            assert_unauthenticated(&call.send().await, &format!("{case} on {}", route.path));
        }
    }
}

#[tokio::test]
async fn the_scheme_is_read_in_any_case() {
    let server = TestServer::start().await;
    for scheme in ["Bearer", "bearer", "BEARER"] {
        let call =
            server.call("/v1/store/products").header("authorization", format!("{scheme} {}", server.token()));
        assert_eq!(call.send().await.status, 200, "{scheme}");
    }
}

#[tokio::test]
async fn a_token_is_refused_from_its_expiry_on() {
    let server = TestServer::start().await;
    let token = server.issue_for("u1", Some(60)).await;
    let status = async || server.call("/v1/user/point-history").bearer(&token).send().await.status;
    assert_eq!(status().await, 200);
    server.advance_seconds(59);
    assert_eq!(status().await, 200);
    server.advance_seconds(1);
    assert_eq!(status().await, 401);
}

#[tokio::test]
async fn a_revocation_through_this_process_is_immediate() {
    let server = TestServer::start().await;
    let token = server.issue("u1").await;
    assert_eq!(server.call("/v1/user/point-history").bearer(&token).send().await.status, 200);
    server.revoke(&token).await;
    assert_eq!(server.call("/v1/user/point-history").bearer(&token).send().await.status, 401);
}

#[tokio::test]
async fn a_revocation_by_another_process_is_seen_within_the_age_of_the_cache() {
    let server = TestServer::start().await;
    let token = server.issue("u1").await;
    let status = async || server.call("/v1/user/point-history").bearer(&token).send().await.status;
    assert_eq!(status().await, 200);
    server.revoke_elsewhere(&token).await;
    server.advance_seconds(10);
    assert_eq!(status().await, 401);
}

#[tokio::test]
async fn a_disabled_user_is_refused_within_the_age_of_the_cache() {
    let server = TestServer::start().await;
    let other = server.issue("u2").await;
    let call = async |token: &str| server.call("/v1/user/point-history").bearer(token).send().await;
    assert_eq!(call(server.token()).await.status, 200);
    server.disable_elsewhere("u1");
    server.advance_seconds(10);
    assert_unauthenticated(&call(server.token()).await, "disabled");
    assert_eq!(call(&other).await.status, 200);
}

#[tokio::test]
async fn without_a_token_the_route_is_checked_and_nothing_behind_it() {
    let server = TestServer::start().await;
    for path in ["/v1/store/products?page[number]=x", "/v1/store/products/nothing"] {
        assert_unauthenticated(&server.call(path).send().await, path);
    }
    assert_eq!(server.call("/v1/nothing").send().await.status, 404);
    for route in routes() {
        let path = format!("{}{}", base_path(), concrete(route.path));
        let answer = Call::new(server.address(), http::Method::POST, path).send().await;
        assert_eq!((answer.status.as_u16(), answer.header("allow")), (405, Some("GET, HEAD")));
    }
}
