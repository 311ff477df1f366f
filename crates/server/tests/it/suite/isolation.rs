//! Tenants share nothing, on every route of the table.

use pointbook_server::slices::routes;

use crate::client::Call;
use crate::harness::{STAGING_PATH, TestServer, base_path, concrete};

#[tokio::test]
async fn a_token_opens_only_its_own_tenant_on_every_route() {
    let server = TestServer::with_sample().await;
    for route in routes() {
        for (tenant, base, good) in [
            ("shop", base_path(), true),
            ("shop", STAGING_PATH, false),
            ("shop/staging", STAGING_PATH, true),
            ("shop/staging", base_path(), false),
        ] {
            // A new token each time, because some operations revoke tokens. A tenant has at most 50 keys.
            server.revoke_keys_of(tenant).await;
            let token = server.issue_to(tenant, route.caller).await;
            let path = format!("{base}{}", concrete(route.path));
            let call = Call::new(server.address(), route.method.clone(), path).bearer(&token);
            let status = call.send().await.status.as_u16();
            assert_eq!(![401, 403].contains(&status), good, "{} {base}: {status}", route.name);
            assert!(status < 500, "{} {base}: {status}", route.name);
        }
        // The keys of this operation expire.
        server.advance_seconds(3_600);
    }
}

#[tokio::test]
async fn the_authority_decides_and_an_unknown_one_leaves_it_to_the_path() {
    let server = TestServer::with_sample().await;
    let status = async |host: &str, path: &str| {
        let call = Call::new(server.address(), http::Method::GET, path).header("host", host);
        call.bearer(server.token()).send().await.status.as_u16()
    };
    let list = format!("{}/v1/store/products", base_path());
    assert_eq!(status("shop.example", &list).await, 200);
    assert_eq!(status("SHOP.example:443", &list).await, 200);
    assert_eq!(status("localhost:1234", &list).await, 200);
    assert_eq!(status("other.example", &list).await, 404, "another tenant's authority, but not its path");
    assert_eq!(status("shop.example", "/stranger/api/v1/store/products").await, 404);
    assert_eq!(status("localhost", "/api/v1/store/products").await, 404);
}
