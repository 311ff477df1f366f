//! Signing in at the OpenID Connect issuer of the configuration.
//!
//! The form of the sign-in page gives the browser a cookie with a new attempt, and leads to a page with a link to the issuer. A
//! redirect would not do: Chromium applies `form-action 'self'` also to where a form is redirected. The issuer sends the browser
//! back to `/console/openid`, one address for all tenants of a host, because issuers know their clients' addresses one by one.

mod attempt_cookie;
mod callback;
mod refusal;

use attempt_cookie::StartedAttempt;
pub use callback::callback;
use http::{Method, StatusCode, Uri};
use maud::html;
use pointbook_http::kernel::Response;
use pointbook_http::pages::{PageError, html_in};
use refusal::{Refusal, refuse};

use crate::console_kit::layout::page;
use crate::console_kit::{Access, PageSpec, Shared, Visit, page};
use crate::openid::{OpenId, Prompt, Requester, is_callback_query};

/// The name of the callback in metrics and logs.
pub const CALLBACK: &str = "console.openid.callback";

/// The path to which the issuer sends the browser back.
const CALLBACK_PATH: &str = "/console/openid";

pub(crate) static PAGES: [PageSpec; 1] = [page!("console.openid", POST "/openid", Access::Anyone, [], begin)];

/// The issuer, when the request is a callback. A tenant may be named `openid`, so a callback is known by its parameters.
pub fn find<'s>(shared: &'s Shared, method: &Method, uri: &Uri) -> Option<&'s OpenId> {
    let is_callback =
        *method == Method::GET && uri.path() == CALLBACK_PATH && uri.query().is_some_and(is_callback_query);
    shared.entrance.openid.as_deref().filter(|_| is_callback)
}

/// The address to which the issuer sends the browser back: at the origin of the console, and not at the host of the request.
fn redirect_uri(visit: &Visit<'_>) -> String {
    format!("{}{CALLBACK_PATH}", visit.shared.entrance.origin.of(&visit.served.tenant))
}

/// Begins an attempt. Nothing is stored: the browser keeps the attempt.
async fn begin(visit: &Visit<'_>) -> Result<Response, PageError> {
    visit.form().await?;
    let openid = visit.shared.entrance.openid.as_deref().ok_or(PageError::NotFound)?;
    let (begun, address) = (StartedAttempt::new(visit), network(visit));
    let asked = Requester { address: &address, now_seconds: now_seconds(visit.shared) };
    let redirect_uri = redirect_uri(visit);
    // Who is signed in here signs in again for a change that needs it.
    let prompt = if visit.signed_in.is_some() { Prompt::Login } else { Prompt::Usual };
    match openid.authorization_url(&begun.attempt(), &redirect_uri, prompt, asked).await {
        Ok(url) => {
            let mut response = onward(visit, openid, &url);
            begun.give(&mut response);
            Ok(response)
        }
        Err(error) => Ok(refuse(visit, openid, Refusal::OpenId(error))),
    }
}

/// The page with the link to the issuer, which the script follows.
fn onward(visit: &Visit<'_>, openid: &OpenId, url: &str) -> Response {
    let words = visit.words;
    let content = html! {
        p { (words.with("openid-onward-hint", "issuer", openid.name())) }
        p { a .button href=(url) data-onward { (words.with("openid-onward", "issuer", openid.name())) } }
    };
    let markup = page(visit, "none", &words.say("sign-in"), &content);
    html_in(&words.content_language, StatusCode::OK, markup)
}

/// The network of the browser, whose requests are counted together.
fn network(visit: &Visit<'_>) -> String {
    visit.request.client.network().map_or_else(String::new, |network| network.to_string())
}

/// By the real clock: tokens of an issuer know no virtual clock.
fn now_seconds(shared: &Shared) -> i64 {
    shared.service.clock.now().as_micros().div_euclid(1_000_000)
}
