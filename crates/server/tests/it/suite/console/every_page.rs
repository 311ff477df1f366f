//! What holds for every page of the console.

use std::collections::BTreeSet;

use http::Method;
use pointbook_console::{Access, PageSpec};
use pointbook_domain::Role;
use pointbook_http::Caller;
use pointbook_server::slices::{pages, routes};

use super::operator::{Browser, CONSOLE, operator};
use super::walk::{crawl, filled, kind_of};
use crate::client::Call;
use crate::harness::TestServer;

/// The path of a page below the console, with a value for each parameter.
pub(super) fn concrete(page: &PageSpec, order: &str) -> String {
    let path = page.path.strip_prefix("/console/{tenant}").unwrap();
    let value = |part: &str| match part {
        "/members/{id}" => "/members/u1".to_owned(),
        "/orders/{id}" => format!("/orders/{order}"),
        "/products/{id}" => "/products/mug".to_owned(),
        _ => part.to_owned(),
    };
    let known =
        ["/members/{id}", "/orders/{id}", "/products/{id}"].into_iter().find(|part| path.starts_with(part));
    let path = known.map_or_else(|| path.to_owned(), |part| path.replacen(part, &value(part), 1));
    let parts = path.split('/').map(|part| if part.starts_with('{') { "nothing" } else { part });
    parts.collect::<Vec<_>>().join("/")
}

pub(super) async fn with_order() -> (TestServer, String) {
    let server = TestServer::with_sample().await;
    server.award(10_000).await;
    let order = server.ordered("mug", 1).await;
    (server, order)
}

/// A page may answer 404 for an id that does not exist.
pub(super) fn is_admitted(status: u16) -> bool {
    matches!(status, 200 | 303 | 404)
}

#[tokio::test]
async fn each_role_sees_its_pages_and_no_others() {
    let (server, order) = with_order().await;
    for role in Role::ALL {
        let browser = Browser::of(&server, role).await;
        let token = browser.form_token().await;
        for page in
            pages().filter(|page| page.access != Access::Anyone && !page.name.starts_with("console.sign"))
        {
            let path = concrete(page, &order);
            let status = match page.method {
                // Without the token, so that nothing changes.
                Method::POST => browser.post(&path, &[("form", "none")]).await.status.as_u16(),
                _ => browser.get(&path).await.status.as_u16(),
            };
            let may = page.access.admits(role);
            let expected = if page.method == Method::POST { status == 403 } else { is_admitted(status) };
            assert!(if may { expected } else { status == 403 }, "{role} {} {path}: {status}", page.method);
        }
        assert!(!token.is_empty());
    }
}

/// The paths to which the buttons of a page send a form, below the console.
fn sent_to(page: &str) -> BTreeSet<&str> {
    let forms = page.split("<form ").skip(1).map(|rest| rest.split("</form>").next().unwrap());
    let forms = forms.filter(|form| form.contains("method=\"post\"") && form.contains("<button"));
    let actions = forms.filter_map(|form| form.split("action=\"").nth(1));
    let paths =
        actions.chain(page.split(" formaction=\"").skip(1)).map(|rest| rest.split('"').next().unwrap());
    paths.filter_map(|path| path.strip_prefix(CONSOLE)).collect()
}

#[tokio::test]
async fn no_role_sees_a_button_that_it_may_not_press() {
    let server = TestServer::with_sample().await;
    let owner = filled(&server).await;
    let paths: Vec<_> = crawl(&owner).await.into_keys().collect();
    let mut seen = BTreeSet::new();
    for role in Role::ALL {
        let browser = Browser::of(&server, role).await;
        for path in &paths {
            let page = browser.get(path).await;
            for sent in sent_to(page.text()) {
                let may = |spec: &PageSpec| {
                    let own = spec.path.strip_prefix("/console/{tenant}").unwrap();
                    spec.method == Method::POST && kind_of(own) == kind_of(sent) && spec.access.admits(role)
                };
                assert!(pages().any(may), "{role} at {path}: {sent}");
                seen.insert(kind_of(sent));
            }
        }
    }
    assert!(seen.len() > 20, "{seen:?}");
}

#[tokio::test]
async fn without_a_session_every_page_asks_to_sign_in() {
    let (server, order) = with_order().await;
    operator(&server, Role::Owner).await;
    let browser = Browser::new(&server);
    for page in pages().filter(|page| page.access != Access::Anyone) {
        let answer = browser.call(page.method.clone(), &concrete(page, &order)).send().await;
        assert_eq!(answer.status, 401, "{}", page.name);
        assert!(answer.text().contains("/ask-for-link\""), "{}", answer.text());
    }
}

#[tokio::test]
async fn a_form_of_another_site_or_session_changes_nothing() {
    let (server, order) = with_order().await;
    let browser = Browser::of(&server, Role::Owner).await;
    let token = browser.form_token().await;
    let stored = server.stored().await;
    for page in pages().filter(|page| page.method == Method::POST && page.access != Access::Anyone) {
        let path = concrete(page, &order);
        let with = |token: &str| browser.form(&path, &[("form", token)]);
        for call in [
            with(&token).header("sec-fetch-site", "cross-site"),
            with(&token).header("sec-fetch-site", "same-site"),
            with(&token).header("sec-fetch-site", "none"),
            with(&token).header("origin", "https://evil.example"),
            with(&token).header("origin", "null"),
            with(&token),
            with("another").header("sec-fetch-site", "same-origin"),
            browser.form(&path, &[]).header("sec-fetch-site", "same-origin"),
        ] {
            let answer = call.send().await;
            assert_eq!(answer.status, 403, "{}: {}", page.name, answer.text());
        }
    }
    assert!(server.stored().await == stored, "a refused form changed something");
}

#[tokio::test]
async fn every_page_has_the_policy_and_none_changes_by_get() {
    let (server, order) = with_order().await;
    let browser = Browser::of(&server, Role::Owner).await;
    // A reader of reports counts what is new in the ledger, as a reader of the interface does.
    browser.page("").await;
    let stored = server.stored().await;
    for page in pages() {
        let path = concrete(page, &order);
        let answer = browser.get(&path).await;
        let is_form_only = !pages().any(|other| other.path == page.path && other.method == Method::GET);
        let is_right = if is_form_only { answer.status == 405 } else { is_admitted(answer.status.as_u16()) };
        assert!(is_right, "{path}: {}", answer.status);
        if answer.status == 303 {
            continue;
        }
        assert_eq!(answer.header("cache-control"), Some("no-store"), "{path}");
        let policy = answer.header("content-security-policy").unwrap_or_default();
        let is_page = answer.header("content-type").unwrap().starts_with("text/html");
        assert!(!is_page || policy.starts_with("default-src 'none'; script-src 'self';"), "{path}: {policy}");
        for inline in [" style=", "<style", " onclick=", "<script>"] {
            assert!(!is_page || !answer.text().contains(inline), "{path}: {inline}");
        }
        assert!(answer.text().len() < 60_000, "{path} has {} bytes", answer.text().len());
        let css = css_of(&server, answer.text()).await;
        assert!(css < 40_000, "{path} loads {css} bytes of stylesheets");
    }
    assert!(server.stored().await == stored);
}

/// How many bytes the stylesheets of a page have, together.
async fn css_of(server: &TestServer, page: &str) -> usize {
    let mut bytes = 0;
    for link in page.split("<link rel=\"stylesheet\" href=\"").skip(1) {
        let path = link.split('"').next().unwrap().to_owned();
        let call = Call::new(server.console_address(), Method::GET, path);
        let file = call.header("host", "shop.example").send().await;
        assert_eq!(file.status, 200, "{}", file.text());
        bytes += file.text().len();
    }
    bytes
}

#[tokio::test]
async fn the_address_of_a_form_leads_to_the_page_of_the_form() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Manager).await;
    for (address, page) in [
        ("/products/mug/stock", "/products/mug"),
        ("/products/mug/pictures/", "/products/mug"),
        ("/products/a%22b/stock", "/products/a%22b"),
        ("/new-product/preview", "/new-product"),
        ("/categories/home/rename", "/categories/home"),
        ("/pictures/remove", "/pictures"),
        ("/new-category", "/categories"),
    ] {
        let shown = browser.get(address).await;
        assert_eq!(shown.status, 405, "{address}");
        let link = format!("href=\"{CONSOLE}{page}\">To the page of the form<");
        for text in [&link, "A form is sent to this address", "<nav class=\"side\"", "The manager"] {
            assert!(shown.text().contains(text), "{text}: {}", shown.text());
        }
        assert_eq!(shown.header("allow"), Some("POST"), "{address}");
    }
    // Who may not see the page gets no link to it.
    let support = Browser::of(&server, Role::Support).await.get("/new-product/preview").await;
    let stranger = Browser::new(&server).get("/products/mug/stock").await;
    for shown in [support, stranger] {
        assert!(shown.status == 405 && !shown.text().contains("To the page of the form"), "{}", shown.text());
    }
}

/// A page can do nothing that an operation cannot, and its role needs what a key needs.
#[test]
fn every_page_needs_the_scope_of_its_operations() {
    for page in pages() {
        let scopes = match page.access {
            Access::Scope(scope) => vec![scope],
            Access::Both(one, other) => vec![one, other],
            Access::Anyone | Access::Operator | Access::Owner => Vec::new(),
        };
        assert_eq!(scopes.is_empty(), page.operations.is_empty(), "{}", page.name);
        for scope in scopes {
            let has_it = page.operations.iter().any(|name| caller(name).scopes().contains(&scope));
            assert!(has_it, "{}: no operation needs {scope}", page.name);
        }
    }
}

fn caller(operation: &str) -> Caller {
    let route = routes().find(|route| route.name == operation);
    route.unwrap_or_else(|| panic!("no operation {operation}")).caller
}

#[tokio::test]
async fn an_unknown_page_and_an_unknown_tenant_are_not_found() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Owner).await;
    let page = browser.get("/nothing").await;
    assert!(page.status == 404 && page.text().contains("Page not found"), "{}", page.text());
    let elsewhere = server.call_at("/console/unknown").header("host", "shop.example").send().await;
    assert_eq!(elsewhere.status, 404);
    let front = server.call_at("/console").header("host", "shop.example").send().await;
    assert!(front.status == 200 && front.text().contains("and ask for a link there"), "{}", front.text());
    let signed_in =
        server.call_at("/console").header("host", "shop.example").header("cookie", browser.cookie.clone());
    assert!(signed_in.send().await.text().contains(CONSOLE));
}
