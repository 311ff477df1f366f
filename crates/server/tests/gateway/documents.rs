//! What is there to be read at the root: the description and the pages.

use pointbook_http::docs_page::FILES;
use pointbook_http::root::{DocsSettings, DocsTokens};

use crate::server::Server;

const TAKES_GZIP: &str = "Accept-Encoding: zstd, gzip;q=0.5";

#[tokio::test]
async fn every_file_is_there_in_both_forms_and_known_again() {
    let server = Server::with_docs(DocsSettings::default()).await;
    let mut client = server.client().await;
    for file in FILES {
        let cached = client.get(file.path).await.header("cache-control").unwrap();
        // Only what has its version in its name is kept without asking.
        assert_eq!(cached.contains("immutable"), file.is_fixed, "{}: {cached}", file.path);
        assert_eq!(cached.contains("no-cache"), !file.is_fixed, "{}: {cached}", file.path);
    }
    for path in FILES.iter().map(|file| file.path).chain(["/openapi.json"]) {
        let (plain, packed) = (client.get(path).await, client.ask("GET", path, &[TAKES_GZIP]).await);
        assert_eq!((plain.status, packed.status), (200, 200), "{path}");
        assert_eq!(plain.header("content-encoding"), None, "{path}");
        assert_eq!(packed.header("content-encoding").as_deref(), Some("gzip"), "{path}");
        let length = plain.header("content-length");
        assert_eq!(length, Some(plain.body.len().to_string()), "{path}");
        assert_eq!(client.ask("HEAD", path, &[]).await.header("content-length"), length, "{path}");
        let written = client.ask("POST", path, &["Content-Length: 0"]).await;
        assert_eq!((written.status, written.header("allow").as_deref()), (405, Some("GET, HEAD")), "{path}");
        assert!(plain.body == packed.body, "{path}");
        assert!(!plain.body.is_empty(), "{path}");
        for answer in [&plain, &packed] {
            assert_eq!(answer.header("vary").as_deref(), Some("Accept-Encoding"), "{path}");
            assert_eq!(answer.header("x-content-type-options").as_deref(), Some("nosniff"), "{path}");
            let known = format!("If-None-Match: {}", answer.header("etag").unwrap());
            let again = client.ask("GET", path, &[&known, TAKES_GZIP]).await;
            assert_eq!((again.status, &*again.body), (304, ""), "{path}");
            assert_eq!(again.header("cache-control"), answer.header("cache-control"), "{path}");
        }
    }
}

#[tokio::test]
async fn the_page_may_load_from_its_own_server_alone_and_run_nothing_inline() {
    let server = Server::with_docs(DocsSettings::default()).await;
    let page = server.client().await.get("/docs").await;
    assert_eq!(page.header("content-type").as_deref(), Some("text/html; charset=utf-8"));
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.starts_with("default-src 'none'; "), "{policy}");
    for directive in policy.split("; ") {
        let mut sources = directive.split(' ').skip(1);
        let (name, is_own) =
            (directive.split(' ').next(), |source| ["'none'", "'self'", "data:"].contains(&source));
        assert!(sources.all(is_own), "{name:?}: {policy}");
    }
    assert!(!page.body.contains("{version}"));
}

#[tokio::test]
async fn the_page_is_told_what_it_is_filled_in_with_and_nothing_unless_it_is_given() {
    let tokens = DocsTokens { customer: Some("mine".to_owned()), super_user: None };
    let (host, base_path) = (Some("acme.example".to_owned()), Some("/a/api".to_owned()));
    let filled = DocsSettings { host, base_path, tokens };
    for (settings, told) in [
        (DocsSettings::default(), r#"{"tokens":{}}"#),
        (filled, r#"{"base_path":"/a/api","tokens":{"customer":"mine"}}"#),
    ] {
        let base_path = settings.base_path.clone().unwrap_or("/api".to_owned());
        let server = Server::with_docs(settings).await;
        let mut client = server.client().await;
        assert_eq!(client.get("/docs/settings.json").await.body, told);
        assert_eq!(client.ask("POST", "/docs/settings.json", &[]).await.status, 405);
        let description = client.get("/openapi.json").await.body;
        assert!(description.contains(&format!("\"default\": \"{base_path}\"")), "{base_path}");
    }
}

#[tokio::test]
async fn other_paths_are_the_tenants() {
    let server = Server::with_docs(DocsSettings::default()).await;
    let mut client = server.client().await;
    assert_eq!(client.get("/docs/api/v1/hello").await.status, 200, "a tenant's base may begin so");
    for path in ["/docs/nothing.js", "/docsx", "/docs/../openapi.json", "/openapi.yaml"] {
        client.get(path).await.assert_error(404, "Not found.");
    }
    let elsewhere = client.get("/docs/").await;
    assert_eq!((elsewhere.status, elsewhere.header("location").as_deref()), (308, Some("../docs")));
}

#[tokio::test]
async fn without_pages_only_the_description_is_there() {
    let server = Server::start().await;
    let mut client = server.client().await;
    assert_eq!(client.get("/openapi.json").await.status, 200);
    for path in ["/docs", "/docs/", "/docs/settings.json", FILES[4].path] {
        client.get(path).await.assert_error(404, "Not found.");
    }
}
