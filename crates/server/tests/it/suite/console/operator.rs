//! An operator with a browser without a screen, for the tests of the console.

use std::sync::Arc;

use http::Method;
use pointbook_access::operators::manage::{add_operator, list_operators};
use pointbook_access::sessions::SignInLink;
use pointbook_domain::{Email, OperatorId, OperatorName, Role};
use pointbook_store::ServedTenant;

use crate::client::{Answer, Call};
use crate::harness::TestServer;
use crate::suite::forms::fields;

/// The path of the console of production.
pub(super) const CONSOLE: &str = "/console/shop";

/// What stands above a form with mistakes.
pub(super) const NOTHING_SAVED: &str = "Nothing was saved. The fields below say what is wrong.";

/// A browser in which an operator of production may be signed in.
pub(crate) struct Browser<'s> {
    server: &'s TestServer,
    /// The tenant, and the path of its console.
    tenant: (Arc<ServedTenant>, &'static str),
    pub(super) cookie: String,
    /// What it asks for. The pages are English without it.
    pub(super) language: Option<&'static str>,
}

impl<'s> Browser<'s> {
    pub(super) fn new(server: &'s TestServer) -> Self {
        Self { server, tenant: (server.production(), CONSOLE), cookie: String::new(), language: None }
    }

    /// A browser in which an operator with this role is signed in: the only one with the role.
    pub(crate) async fn of(server: &'s TestServer, role: Role) -> Self {
        Self::new(server).signed_in(role).await
    }

    /// The same in the console of staging.
    pub(super) async fn of_staging(server: &'s TestServer, role: Role) -> Self {
        Self::new_in_staging(server).signed_in(role).await
    }

    pub(super) fn new_in_staging(server: &'s TestServer) -> Self {
        let tenant = (server.find("shop/staging"), "/console/shop.staging");
        Self { tenant, ..Self::new(server) }
    }

    async fn signed_in(self, role: Role) -> Self {
        let server = self.server;
        let mut browser = self;
        let id = operator_of(server, &browser.tenant.0, role).await;
        let link = link_of(server, &browser.tenant.0, &id).await;
        let opened = browser.post("/sign-in", &[("link", &link)]).await;
        assert_eq!(opened.status, 303, "{}", opened.text());
        browser.take_cookie(&opened);
        browser
    }

    pub(super) fn take_cookie(&mut self, answer: &Answer) {
        let (cookie, attributes) = answer.header("set-cookie").unwrap().split_once(';').unwrap();
        assert_eq!(attributes.trim(), "Path=/; Max-Age=43200; HttpOnly; SameSite=Lax; Secure");
        let environment = self.tenant.0.tenant.environment;
        assert!(cookie.starts_with(&format!("__Host-console-shop-{environment}=pb_")), "{cookie}");
        cookie.clone_into(&mut self.cookie);
    }

    /// A request to a path below the console of production.
    pub(super) fn call(&self, method: Method, path: &str) -> Call {
        let call = Call::new(self.server.console_address(), method, format!("{}{path}", self.tenant.1));
        let call = call.header("host", "shop.example").header("accept", "text/html");
        let call = self.language.into_iter().fold(call, |call, tag| call.header("accept-language", tag));
        if self.cookie.is_empty() { call } else { call.header("cookie", self.cookie.clone()) }
    }

    pub(super) async fn get(&self, path: &str) -> Answer {
        self.call(Method::GET, path).send().await
    }

    pub(crate) async fn page(&self, path: &str) -> String {
        let answer = self.get(path).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        answer.text().to_owned()
    }

    /// A form that says nothing of where it comes from.
    pub(super) fn form(&self, path: &str, fields: &[(&str, &str)]) -> Call {
        let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        let call = self.call(Method::POST, path).body(body);
        call.header("content-type", "application/x-www-form-urlencoded")
    }

    pub(super) async fn post(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
        self.form(path, fields).header("sec-fetch-site", "same-origin").send().await
    }

    /// Sends the form of a page that goes to this path, with these values in place of those on the page.
    pub(crate) async fn submit(&self, page: &str, path: &str, values: &[(&str, &str)]) -> Answer {
        let mut sent = fields(page, &format!("{}{path}", self.tenant.1));
        sent.retain(|(name, _)| !values.iter().any(|(changed, _)| changed == name));
        let own = sent.iter().map(|(name, value)| (&**name, &**value));
        let all: Vec<_> = own.chain(values.iter().copied()).collect();
        self.post(path, &all).await
    }

    /// The token of the forms of this session.
    pub(super) async fn form_token(&self) -> String {
        let page = self.page("/sessions").await;
        fields(&page, &format!("{}/sign-out", self.tenant.1)).remove(0).1
    }
}

/// The operator with this role, who is added when missing. The tenant gets an owner first.
pub(super) async fn operator(server: &TestServer, role: Role) -> OperatorId {
    operator_of(server, &server.production(), role).await
}

/// The same in any tenant.
pub(super) async fn operator_of(server: &TestServer, tenant: &Arc<ServedTenant>, role: Role) -> OperatorId {
    for role in [Role::Owner, role] {
        let known = list_operators(&*tenant.data).await.unwrap();
        if known.iter().any(|operator| operator.role == role) {
            continue;
        }
        let context = server.command_line_of(tenant.clone());
        let email = Email::parse(&format!("{role}@example.com")).unwrap();
        let person = (email, OperatorName::new(format!("The {role}")).unwrap());
        add_operator(&context, person, role).await.unwrap().unwrap();
    }
    let known = list_operators(&*tenant.data).await.unwrap();
    known.into_iter().find(|operator| operator.role == role).unwrap().id
}

/// The text of a new one-time link.
pub(super) async fn link(server: &TestServer, id: &OperatorId) -> String {
    link_of(server, &server.production(), id).await
}

pub(super) async fn link_of(server: &TestServer, tenant: &ServedTenant, id: &OperatorId) -> String {
    let now = tenant.tenant.now(server.now());
    let secret = tenant.secrets.get(now).await.unwrap();
    SignInLink::new(id.clone(), now, server.new_secret()).to_text(&secret)
}
