//! A browser without a screen, for the tests of the shop.

use http::Method;
use serde_json::json;

use crate::client::{Answer, Call};
use crate::harness::TestServer;
pub(super) use crate::suite::forms::fields;

/// The path of the shop of production.
pub(super) const SHOP: &str = "/shop/shop";

/// A browser, as far as the server can tell.
pub(super) struct Browser<'s> {
    server: &'s TestServer,
    pub(super) cookie: String,
    pub(super) language: &'s str,
}

impl<'s> Browser<'s> {
    pub(super) fn new(server: &'s TestServer) -> Self {
        Self { server, cookie: String::new(), language: "en" }
    }

    /// A browser in which this user is signed in.
    pub(super) async fn of(server: &'s TestServer, user: &str) -> Self {
        let mut browser = Self::new(server);
        let link = link(server, user).await;
        let (_, text) = link.rsplit_once('=').unwrap();
        let opened = browser.post("/sign-in", &[("link", text)]).await;
        assert_eq!(
            (opened.status.as_u16(), opened.header("location")),
            (303, Some(SHOP)),
            "{}",
            opened.text()
        );
        browser.take_cookie(&opened);
        browser
    }

    pub(super) fn take_cookie(&mut self, answer: &Answer) {
        let (cookie, attributes) = answer.header("set-cookie").unwrap().split_once(';').unwrap();
        assert_eq!(attributes.trim(), "Path=/; Max-Age=43200; HttpOnly; SameSite=Lax; Secure");
        assert!(cookie.starts_with("__Host-shop-shop-production=pb_"), "{cookie}");
        cookie.clone_into(&mut self.cookie);
    }

    pub(super) fn call(&self, method: Method, path: &str) -> Call {
        let call = Call::new(self.server.address(), method, format!("{SHOP}{path}"));
        let call = call.header("host", "shop.example").header("accept-language", self.language);
        if self.cookie.is_empty() { call } else { call.header("cookie", self.cookie.clone()) }
    }

    pub(super) async fn get(&self, path: &str) -> Answer {
        self.call(Method::GET, path).send().await
    }

    pub(super) async fn page(&self, path: &str) -> String {
        let answer = self.get(path).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        answer.text().to_owned()
    }

    pub(super) fn form(&self, path: &str, fields: &[(&str, &str)]) -> Call {
        let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        let call = self.call(Method::POST, path).body(body);
        call.header("content-type", "application/x-www-form-urlencoded")
    }

    pub(super) async fn post(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
        self.form(path, fields).header("sec-fetch-site", "same-origin").send().await
    }

    /// Sends the form of a page that goes to this path, as it was filled in.
    pub(super) async fn submit(&self, page: &str, path: &str) -> Answer {
        let fields = fields(page, &format!("{SHOP}{path}"));
        let fields: Vec<_> = fields.iter().map(|(name, value)| (&**name, &**value)).collect();
        self.post(path, &fields).await
    }
}

pub(super) async fn with_shop() -> TestServer {
    let server = TestServer::with_sample().await;
    server.set("shop", "true").await;
    server.set("members_cancel_orders", "true").await;
    server
}

pub(super) async fn link(server: &TestServer, user: &str) -> String {
    let token = server.issue_super_user().await;
    let made = server.post("/v1/auth/links", &token).json(&json!({"user_id": user})).send().await;
    assert_eq!(made.status, 201, "{}", made.text());
    made.json()["data"]["url"].as_str().unwrap().to_owned()
}
