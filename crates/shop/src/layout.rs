//! What all pages share: the head, the band at the top, and the pages of errors.

use http::{HeaderMap, Method};
use maud::{Markup, html};
use pointbook_access::sessions::{PagesOf, pages_path};
use pointbook_domain::Environment;
use pointbook_http::kernel::Response;
use pointbook_http::pages::{
    PageError, Words, document_with, error_page, form_token, html_in, message, points,
};
use pointbook_store::ServedTenant;

use crate::icons::{COIN, GIFT, RECEIPT, icon};
use crate::session;
use crate::session::Session;
use crate::shared::Shared;
use crate::visit::Visit;
use crate::{app, brand};

/// The part of a shop that a page belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tab {
    Products,
    Points,
    Orders,
    /// None of them.
    Other,
}

/// The stylesheets of these pages.
pub(crate) const STYLESHEETS: &[&str] = &["/tokens.css", "/pointbook.css"];

/// A page with the band of its shop, and the part of the shop that it belongs to marked.
pub(crate) fn shop_page(visit: &Visit<'_>, tab: Tab, title: &str, content: &Markup) -> Markup {
    let frame =
        visit.session.as_ref().map(|session| [navigation(visit, session, tab), leave(visit, session)]);
    framed(visit.words, &visit.served, title, frame, content)
}

/// A page with what all pages of a shop have, and these in its band and its foot.
fn framed(
    words: &Words,
    served: &ServedTenant,
    title: &str,
    frame: Option<[Markup; 2]>,
    content: &Markup,
) -> Markup {
    let name = &served.tenant.name;
    let [band, foot] = frame.unwrap_or_else(|| [html! {}, html! {}]);
    let body = html! {
        a .skip href="#content" { (words.say("skip")) }
        @if served.tenant.environment != Environment::Production {
            p .environment { (words.say("staging")) }
        }
        header .band {
            div .inside {
                a .brand href=(pages_path(PagesOf::Shop, &served.name())) {
                    (brand::mark(served))
                    span { (name) }
                }
                (band)
            }
        }
        main #content .inside tabindex="-1" { (content) }
        footer .inside { p { (words.with("footer", "name", name.as_str())) } (foot) }
    };
    document_with(words.tag, &format!("{title} · {name}"), STYLESHEETS, [&app::head(served), &body])
}

/// The parts of the shop, which are at the lower edge of a phone, and the balance.
fn navigation(visit: &Visit<'_>, session: &Session, tab: Tab) -> Markup {
    let words = visit.words;
    let link = |to: Tab, path: String, drawing: &str, text: &str| {
        html! { a href=(path) aria-current=[(to == tab).then_some("page")] { (icon(drawing)) (words.say(text)) } }
    };
    html! {
        nav aria-label=(words.say("navigation")) {
            (link(Tab::Products, visit.root.clone(), GIFT, "gifts"))
            (link(Tab::Points, visit.path("/points"), COIN, "my-points"))
            (link(Tab::Orders, visit.path("/orders"), RECEIPT, "my-orders"))
        }
        a .balance href=(visit.path("/points")) { (points(session.points.get(), words)) }
    }
}

fn leave(visit: &Visit<'_>, session: &Session) -> Markup {
    html! {
        form method="post" action=(visit.path("/sign-out")) {
            (form_token(&session.form_token))
            button .plain { (visit.words.say("sign-out")) }
        }
    }
}

/// The page of an error in a shop.
pub(crate) fn error(visit: &Visit<'_>, error: PageError) -> Response {
    let words = visit.words;
    let [heading, hint] = error.texts();
    let may_go_on = visit.session.is_some();
    let content = html! {
        section .message {
            h1 { (words.say(heading)) }
            p { (words.say(hint)) }
            @if matches!(error, PageError::SignedOut | PageError::Link(_)) && visit.shared.home.demo.is_some() {
                p { a .button href="/" { (words.say("demo-people")) } }
            }
            @if may_go_on { p { a .button href=(visit.root) { (words.say("to-gifts")) } } }
        }
    };
    let markup = shop_page(visit, Tab::Other, &words.say(heading), &content);
    let mut response = html_in(&words.content_language, error.status(), markup);
    if matches!(error, PageError::SignedOut) && *visit.request.method == Method::GET {
        // A cookie that is not valid any more helps no request.
        session::cookie(&visit.served).remove(&mut response);
    }
    error.add_headers(&mut response);
    response
}

/// The page of a request to a shop that the gateway refused. It reads no session, because the server may be overloaded.
pub(crate) fn refused(
    shared: &Shared,
    served: &ServedTenant,
    headers: &HeaderMap,
    error: PageError,
) -> Response {
    let words = shared.languages.of(shared.texts.of(&served.tenant).choose(headers));
    let [heading, _] = error.texts();
    let page = framed(words, served, &words.say(heading), None, &message(words, &error));
    error_page(&words.content_language, page, error)
}
