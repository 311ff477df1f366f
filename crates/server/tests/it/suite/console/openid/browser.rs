//! A browser that goes from the console to the issuer and back.

use std::time::Duration;

use http::Method;
use pointbook_access::sessions::list_operator_sessions;
use pointbook_domain::Role;
use url::form_urlencoded;

use super::issuer::{FakeIssuer, Proof};
use crate::client::{Answer, Call};
use crate::harness::{CONSOLE_ORIGIN, TestServer};
use crate::suite::console::operator::{CONSOLE, operator_of};

/// The operator who signs in.
pub(super) const EMAIL: &str = "owner@example.com";

/// Longer than any request on a busy machine takes.
const PATIENT: Duration = Duration::from_mins(1);

/// A server with an issuer and one operator, the owner. Staging has one, too.
pub(super) struct Setup {
    pub(super) server: TestServer,
    pub(super) issuer: FakeIssuer,
    /// Holds the database.
    pub(super) first: TestServer,
}

impl Setup {
    pub(super) async fn new(proof: Proof) -> Self {
        Self::with_timeout(proof, PATIENT).await
    }

    pub(super) async fn with_timeout(proof: Proof, timeout: Duration) -> Self {
        let (first, issuer) = (TestServer::start().await, FakeIssuer::start(proof));
        let server = first.instance_with_openid(issuer.client(timeout)).await;
        Self::with_owners(server, issuer, first).await
    }

    /// A server whose console has its own listener.
    pub(super) async fn with_own_console() -> Self {
        let (first, issuer) = (TestServer::start().await, FakeIssuer::start(Proof::Basic));
        issuer.expect_return_to(CONSOLE_ORIGIN);
        let server = first.instance_with_own_console(Some(issuer.client(PATIENT))).await;
        Self::with_owners(server, issuer, first).await
    }

    async fn with_owners(server: TestServer, issuer: FakeIssuer, first: TestServer) -> Self {
        for tenant in ["shop", "shop/staging"] {
            operator_of(&server, &server.find(tenant), Role::Owner).await;
        }
        Self { server, issuer, first }
    }

    pub(super) fn now(&self) -> i64 {
        self.server.now().as_micros() / 1_000_000
    }

    /// The number of sessions of the operators of production and staging.
    pub(super) async fn sessions(&self) -> usize {
        let mut count = 0;
        for name in ["shop", "shop/staging"] {
            let data = self.server.find(name).data.clone();
            count += list_operator_sessions(&*data, self.server.now()).await.unwrap().len();
        }
        count
    }

    pub(super) fn call(&self, method: Method, path: &str) -> Call {
        let call = Call::new(self.server.console_address(), method, path);
        call.header("host", "shop.example").header("accept", "text/html")
    }

    /// Sends the form of the sign-in page.
    pub(super) async fn begin(&self) -> Answer {
        let call = self.call(Method::POST, &format!("{CONSOLE}/openid"));
        call.header("sec-fetch-site", "same-origin").send().await
    }

    /// Begins to sign in, and lets this person agree at the issuer.
    pub(super) async fn go_as(&self, email: &str) -> Trip {
        self.go_slowly(email, 0).await
    }

    /// The same with a person who takes this time.
    pub(super) async fn go_slowly(&self, email: &str, seconds: u32) -> Trip {
        let page = self.begin().await;
        assert_eq!(page.status, 200, "{}", page.text());
        self.server.advance_seconds(seconds);
        let url = onward(&page);
        Trip {
            cookie: cookie(&page),
            parameters: self.issuer.authorize(&url, email, self.now()),
            host: "shop.example",
        }
    }

    pub(super) async fn go(&self) -> Trip {
        self.go_as(EMAIL).await
    }

    /// The browser comes back from the issuer.
    pub(super) async fn return_from(&self, trip: &Trip) -> Answer {
        let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(&trip.parameters).finish();
        let call = Call::new(self.server.console_address(), Method::GET, format!("/console/openid?{query}"));
        let call = call.header("host", trip.host).header("sec-fetch-site", "cross-site");
        if trip.cookie.is_empty() { call } else { call.header("cookie", trip.cookie.clone()) }.send().await
    }
}

/// What a browser has when it comes back from the issuer.
#[derive(Clone)]
pub(super) struct Trip {
    pub(super) cookie: String,
    pub(super) parameters: Vec<(String, String)>,
    pub(super) host: &'static str,
}

impl Trip {
    pub(super) fn remove(&mut self, name: &str) {
        self.parameters.retain(|(known, _)| known != name);
    }

    pub(super) fn set(&mut self, name: &str, value: &str) {
        self.remove(name);
        self.add(name, value);
    }

    pub(super) fn add(&mut self, name: &str, value: &str) {
        self.parameters.push((name.to_owned(), value.to_owned()));
    }

    pub(super) fn get(&self, name: &str) -> String {
        self.parameters.iter().find(|(known, _)| known == name).unwrap().1.clone()
    }
}

/// The address of the link to the issuer.
pub(super) fn onward(page: &Answer) -> String {
    let (before, _) = page.text().split_once("\" data-onward").unwrap();
    before.rsplit_once("href=\"").unwrap().1.replace("&amp;", "&")
}

/// The cookie with the attempt.
pub(super) fn cookie(page: &Answer) -> String {
    let (cookie, attributes) = page.header("set-cookie").unwrap().split_once(';').unwrap();
    assert_eq!(attributes.trim(), "Path=/; Max-Age=600; HttpOnly; SameSite=Lax; Secure");
    assert!(cookie.starts_with("__Host-console-openid=shop:"), "{cookie}");
    cookie.to_owned()
}

/// All cookies that a response sets.
pub(super) fn cookies(answer: &Answer) -> Vec<&str> {
    answer.headers.get_all("set-cookie").iter().map(|value| value.to_str().unwrap()).collect()
}

/// What a response that uses an attempt sets, besides a session.
pub(super) const REMOVED: &str = "__Host-console-openid=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure";
