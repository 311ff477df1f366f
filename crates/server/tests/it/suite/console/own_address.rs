//! A console with its own listener: what each of the two addresses serves.

use std::net::SocketAddr;

use http::Method;
use pointbook_domain::Role;
use pointbook_server::slices::pages;
use pointbook_server::slices::routes;

use super::every_page::{concrete, is_admitted, with_order};
use super::operator::{Browser, CONSOLE, operator};
use crate::client::{Answer, Call};
use crate::harness;
use crate::harness::{CONSOLE_ORIGIN, TestServer, base_path};

/// Files that the pages of the console load, and whether other pages load them, too.
const ASSETS: [(&str, bool); 11] = [
    ("/console.css", false),
    ("/console.catalogue.css", false),
    ("/console.campaigns.css", false),
    ("/console.segments.css", false),
    ("/console.lists.css", false),
    ("/console.settings.css", false),
    ("/console.js", false),
    ("/tokens.css", true),
    ("/charts.css", false),
    ("/pointbook.js", true),
    ("/favicon.ico", true),
];

/// The request of a browser.
async fn opened(address: SocketAddr, method: &Method, path: &str) -> Answer {
    let call = Call::new(address, method.clone(), path).header("host", "shop.example");
    call.header("accept", "text/html").header("sec-fetch-site", "same-origin").send().await
}

#[tokio::test]
async fn every_page_of_the_console_is_at_its_own_address_only() {
    let (first, order) = with_order().await;
    let server = first.instance_with_own_console(None).await;
    let browser = Browser::of(&server, Role::Owner).await;
    for page in pages() {
        let path = concrete(page, &order);
        let own =
            browser.call(page.method.clone(), &path).header("sec-fetch-site", "cross-site").send().await;
        // A form of another site is refused by its page.
        let is_there =
            if page.method == Method::POST { own.status == 403 } else { is_admitted(own.status.as_u16()) };
        assert!(is_there, "{} {path}: {}", page.method, own.status);
        // A page with an id that names nothing is of the console, too: it has the navigation.
        assert!(
            page.method == Method::POST || own.status != 404 || own.text().contains("<nav class=\"side\""),
            "{path}"
        );
        let call = Call::new(server.address(), page.method.clone(), format!("{CONSOLE}{path}"));
        let call = call.header("host", "shop.example").header("accept", "text/html");
        let elsewhere = call.header("cookie", browser.cookie.clone()).send().await;
        assert_eq!(elsewhere.status, 404, "{} {path}", page.method);
        assert_eq!(elsewhere.header("error-code"), Some("unknown_base_url"), "{path}: {}", elsewhere.text());
    }
    for path in ["/console", "/console/", "/console/nothing", "/console/openid?code=a&state=b"] {
        assert_eq!(opened(server.address(), &Method::GET, path).await.status, 404, "{path}");
    }
    let front = opened(server.console_address(), &Method::GET, "/console").await;
    assert!(front.status == 200 && front.text().contains("and ask for a link there"), "{}", front.text());
}

#[tokio::test]
async fn each_address_has_the_files_of_its_pages() {
    let (first, _) = with_order().await;
    let server = first.instance_with_own_console(None).await;
    let page = Browser::of(&server, Role::Owner).await.page("/reports").await;
    for (path, is_shared) in ASSETS {
        let own = opened(server.console_address(), &Method::GET, path).await;
        assert_eq!(own.status, 200, "{path}");
        let status = opened(server.address(), &Method::GET, path).await.status;
        assert_eq!(status, if is_shared { 200 } else { 404 }, "{path}");
    }
    // The list has all files that a page names.
    let named = page.split([' ', '>']).filter_map(|part| {
        let value = part.strip_prefix("href=\"").or_else(|| part.strip_prefix("src=\""))?;
        value.strip_suffix('"').filter(|path| path.contains('.') && !path.starts_with("/console/"))
    });
    let named: Vec<_> = named.collect();
    assert!(named.len() >= 4, "{named:?}");
    for path in named {
        assert!(ASSETS.iter().any(|(known, _)| *known == path), "{path}");
    }
}

#[tokio::test]
async fn the_address_of_the_console_has_nothing_else() {
    let (first, _) = with_order().await;
    let server = first.instance_with_own_console(None).await;
    let console = server.console_address();
    for route in routes() {
        let path = format!("{}{}", base_path(), harness::concrete(route.path));
        let call = |address| {
            let call = Call::new(address, route.method.clone(), path.clone()).header("host", "shop.example");
            call.bearer(server.token())
        };
        let at_console = call(console).send().await;
        let found = (at_console.status.as_u16(), at_console.header("error-code"), at_console.text());
        assert_eq!(found, (404, Some("unknown_base_url"), r#"{"message":"Not found."}"#), "{path}");
        let usual = call(server.address()).send().await;
        assert_ne!(usual.header("error-code"), Some("unknown_base_url"), "{path}");
    }
    for path in [
        "/docs",
        "/docs/",
        "/openapi.json",
        "/shop/shop",
        "/shop/shop/sign-in",
        "/metrics",
        "/demo/pictures/mug",
    ] {
        let page = opened(console, &Method::GET, path).await;
        assert!(page.status == 404 && page.text().contains("Page not found"), "{path}: {}", page.text());
        let program = Call::new(console, Method::GET, path).header("host", "shop.example").send().await;
        assert_eq!(program.header("error-code"), Some("unknown_base_url"), "{path}: {}", program.text());
    }
    for path in ["/healthz", "/readyz", "/readyz/writes"] {
        assert_eq!(opened(console, &Method::GET, path).await.status, 200, "{path}");
        assert_eq!(opened(server.address(), &Method::GET, path).await.status, 200, "{path}");
    }
    let root = opened(console, &Method::GET, "/").await;
    assert_eq!((root.status.as_u16(), root.header("location")), (303, Some("/console")));
}

/// The documented reads do not depend on where the console is.
#[tokio::test]
async fn the_other_address_reads_as_without_the_setting() {
    let (first, _) = with_order().await;
    let server = first.instance_with_own_console(None).await;
    for path in
        ["/v1/store/products", "/v1/store/products/mug", "/v1/store/categories", "/v1/user/point-history"]
    {
        let read = async |server: &TestServer| {
            let call = Call::new(server.address(), Method::GET, format!("{}{path}", base_path()));
            call.header("host", "shop.example").bearer(first.token()).send().await
        };
        let (before, after) = (read(&first).await, read(&server).await);
        assert!(before.status == 200 && before.body == after.body, "{path}: {}", after.text());
    }
    let door = opened(server.address(), &Method::GET, "/").await;
    assert!(door.status == 200 && !door.text().contains("/console"), "{}", door.text());
    assert!(opened(first.address(), &Method::GET, "/").await.text().contains("/console"));
}

#[tokio::test]
async fn links_lead_to_the_consoles_own_address() {
    let (first, _) = with_order().await;
    let server = first.instance_with_own_console(None).await;
    let id = operator(&server, Role::Support).await;
    let owner = Browser::of(&server, Role::Owner).await;
    let page = owner.page(&format!("/operators/{id}")).await;
    let made = owner.submit(&page, &format!("/operators/{id}/link"), &[]).await;
    let link = format!("{CONSOLE_ORIGIN}{CONSOLE}/sign-in?link=");
    assert!(made.status == 200 && made.text().contains(&link), "{}", made.text());
}
