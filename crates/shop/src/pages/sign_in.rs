//! Signing in with a one-time link, and signing out.

use http::StatusCode;
use maud::html;
use pointbook_access::sessions::{
    LINK_PARAMETER, LinkRefusal, SESSION_SECONDS, SignInLink, SignInRefusal, open_session,
};
use pointbook_access::tokens::issue::token_text;
use pointbook_access::tokens::revoke::revoke_token;
use pointbook_domain::UserId;
use pointbook_http::kernel::Response;
use pointbook_http::pages::{PageError, html_in, see_other};
use pointbook_store::ports::tokens::token_hash;
use url::form_urlencoded;

use crate::layout::{Tab, shop_page};
use crate::session;
use crate::visit::Visit;

/// Asks whether to sign in. Programs that look at the links of a message use none up, because only the form does. It tells a visitor
/// without a link how to get one. Members without a link go to the gifts.
pub(super) async fn show(visit: &Visit<'_>) -> Result<Response, PageError> {
    let query = visit.request.uri.query().unwrap_or_default();
    let mut parameters = form_urlencoded::parse(query.as_bytes());
    let Some((_, text)) = parameters.find(|(name, _)| name == LINK_PARAMETER) else {
        return if visit.session.is_some() { Ok(see_other(&visit.root)) } else { Err(PageError::SignedOut) };
    };
    let link = read(visit, &text).await?;
    let words = visit.words;
    let content = html! {
        section .message {
            h1 { (words.with("welcome", "name", visit.served.tenant.name.as_str())) }
            p { (words.with("sign-in-as", "name", link.subject.as_str())) }
            form method="post" action=(visit.path("/sign-in")) {
                input type="hidden" name=(LINK_PARAMETER) value=(text);
                button { (words.say("sign-in")) }
            }
        }
    };
    let page = shop_page(visit, Tab::Other, &words.say("sign-in"), &content);
    Ok(html_in(&words.content_language, StatusCode::OK, page))
}

/// Uses the link, and begins the session.
pub(super) async fn open(visit: &Visit<'_>) -> Result<Response, PageError> {
    let form = visit.form().await?;
    let link = read(visit, form.field(LINK_PARAMETER)?).await?;
    let token = token_text(&visit.shared.secrets.secret());
    open_session(&visit.context_of(&link.subject), &link, &token).await?.map_err(
        |refusal| match refusal {
            SignInRefusal::Used => PageError::Link("error-link-used"),
            SignInRefusal::UserDisabled => PageError::Link("error-link-disabled"),
        },
    )?;
    if let Some(old) = &visit.session {
        revoke_token(&visit.context()?, token_hash(old.token.as_bytes())).await?;
    }
    let mut response = see_other(&visit.root);
    session::cookie(&visit.served).set(&token, SESSION_SECONDS, &mut response);
    Ok(response)
}

async fn read(visit: &Visit<'_>, text: &str) -> Result<SignInLink<UserId>, PageError> {
    let secret = visit.served.secrets.get(visit.now).await?;
    SignInLink::read(text, &secret, visit.now).map_err(|refusal| match refusal {
        LinkRefusal::Unknown => PageError::Link("error-link-unknown"),
        LinkRefusal::Expired => PageError::Link("error-link-expired"),
    })
}

/// Revokes the session.
pub(super) async fn sign_out(visit: &Visit<'_>) -> Result<Response, PageError> {
    visit.form_of_session().await?;
    let session = visit.session()?;
    revoke_token(&visit.context()?, token_hash(session.token.as_bytes())).await?;
    let mut response = see_other(&visit.path("/sign-in"));
    session::cookie(&visit.served).remove(&mut response);
    Ok(response)
}
