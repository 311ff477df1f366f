//! What all pages share: what was just done, and the pages of errors and of signing in.

use http::{Method, StatusCode};
use maud::{Markup, html};
use pointbook_http::KnownPrincipal;
use pointbook_http::kernel::{PageRequest, Response};
use pointbook_http::pages::{PageError, SessionCookie, document, error_page, html_in};

use crate::console_kit::assets;
use crate::console_kit::components::field;
use crate::console_kit::shared::Shared;
use crate::console_kit::sheet::Sheet;
use crate::console_kit::visit::{COOKIE_KIND, Visit, cookie, find_named, sign_in};
use crate::sessions::{PagesOf, pages_path};

/// The stylesheets of all these pages.
pub const STYLESHEETS: &[&str] = &["/tokens.css", assets::CONSOLE];

/// The parameter of an address that names what was just done: the end of the id of a text.
pub const SAID: &str = "said";

/// A page of a section with this title. `section` is the path of its section; "none" for pages that are in none.
pub fn page(visit: &Visit<'_>, section: &'static str, title: &str, content: &Markup) -> Markup {
    Sheet::new(visit, section, title).markup(content)
}

/// What was just done. The address names it, so only a text with this prefix is shown.
pub(super) fn toast(visit: &Visit<'_>) -> Markup {
    let said = visit.query(SAID);
    let text =
        if said.is_empty() { String::new() } else { visit.words.say(&format!("said-{said}")).into_owned() };
    html! { @if !text.is_empty() { p .toast role="status" { (text) } } }
}

/// The form that begins to sign in at the issuer, when there is one.
pub fn openid_button(visit: &Visit<'_>) -> Markup {
    html! {
        @if let Some(openid) = &visit.shared.entrance.openid {
            form method="post" action=(visit.path("/openid")) {
                button { (visit.words.with("openid-sign-in", "issuer", openid.name())) }
            }
        }
    }
}

/// The page of an error.
pub fn error(visit: &Visit<'_>, error: PageError) -> Response {
    let words = visit.words;
    let [heading, hint] = error.texts();
    let is_signed_out = matches!(error, PageError::SignedOut);
    let content = html! {
        p { (words.say(if is_signed_out { "sign-in-hint" } else { hint })) }
        @if is_signed_out { (ways_to_sign_in(visit)) }
        @if visit.signed_in.is_some() { p { a .button href=(visit.root) { (words.say("to-console")) } } }
    };
    let markup = page(visit, "none", &words.say(heading), &content);
    let is_read = *visit.request.method == Method::GET;
    let mut response = error_page(&words.content_language, markup, error);
    if is_signed_out && is_read {
        // A cookie that is not valid any more helps no request.
        cookie(visit.shared, &visit.served).remove(&mut response);
    }
    response
}

/// What a page says that asks to sign in: that the tab keeps what was typed, where an issuer signs in, and how a link does.
fn ways_to_sign_in(visit: &Visit<'_>) -> Markup {
    let words = visit.words;
    html! {
        p .notice role="status" data-draft hidden { (words.say("draft-kept")) " " a { (words.say("form-address-page")) } }
        (openid_button(visit))
        form .stack method="post" action=(visit.path("/ask-for-link")) {
            (field(visit, "operator-email", html! { input type="email" name="email" maxlength="254" autocomplete="username" required; }))
            button { (words.say("link-ask")) }
        }
        p .quiet { (words.say("link-ask-hint")) }
    }
}

/// Asks an operator whose sign-in is not recent to sign in again. The session goes on.
pub fn sign_in_again(visit: &Visit<'_>) -> Response {
    let words = visit.words;
    let content = html! { p { (words.say("sign-in-again-hint")) } (ways_to_sign_in(visit)) };
    let markup = page(visit, "none", &words.say("sign-in-again"), &content);
    html_in(&words.content_language, StatusCode::UNAUTHORIZED, markup)
}

/// The page of an error at the address of a form, for example after its page was loaded again. `form` is the path of the page that has the
/// form, when the operator may see it.
pub fn form_address(visit: &Visit<'_>, error: PageError, form: Option<&str>) -> Response {
    let words = visit.words;
    let content = html! {
        p { (words.say("form-address-hint")) }
        @if let Some(path) = form { p { a .button href=(path) { (words.say("form-address-page")) } } }
    };
    let markup = page(visit, "none", &words.say("form-address"), &content);
    error_page(&words.content_language, markup, error)
}

/// The page at `/console`: the tenants at this host in whose consoles the visitor is signed in.
pub async fn front(shared: &Shared, request: &PageRequest<'_, KnownPrincipal>) -> Response {
    let (tenants, words) = (tenants(shared, request).await, shared.languages.choose(request.headers));
    let body = html! {
        main .inside {
            h1 { (words.say("console")) }
            @if tenants.is_empty() { p { (words.say("front-hint")) } }
            ul { @for (path, name) in tenants { li { a href=(path) { (name) } } } }
        }
    };
    let page = document(words.tag, &words.say("console"), STYLESHEETS, &body);
    html_in(&words.content_language, StatusCode::OK, page)
}

async fn tenants(shared: &Shared, request: &PageRequest<'_, KnownPrincipal>) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for name in SessionCookie::tenants(COOKIE_KIND, request.headers) {
        let Some(served) = find_named(shared, &name, request.uri, request.headers) else { continue };
        // A tenant whose database does not answer is left out.
        if let Ok(Some(_)) = sign_in(shared, &served, request.headers).await {
            found.push((pages_path(PagesOf::Console, &name), served.tenant.name.clone()));
        }
    }
    found
}
