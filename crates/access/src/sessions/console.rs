//! Signing in with a one-time link, signing out, and the list of sessions.

use std::time::Duration;

use http::StatusCode;
use maud::{Markup, html};
use pointbook_domain::{Email, OperatorId, OperatorSession, Role, TokenId};
use pointbook_http::kernel::Response;
use pointbook_http::pages::{PageError, form_token, html_in, moment, see_other};

use crate::console_kit::layout::{SAID, openid_button, page};
use crate::console_kit::lists::{Column, list_table};
use crate::console_kit::sheet::Sheet;
use crate::console_kit::visit::{cookie, set_cookie};
use crate::console_kit::{Access, PageSpec, Visit, page};
use crate::sessions::{
    AskForLink, EndOperatorSession, LINK_PARAMETER, LinkAsks, LinkRefusal, OperatorSignIn, SignInLink,
    find_operator, find_operator_by_email, list_operator_sessions, open_operator_session,
};
use crate::tokens::issue::token_text;

/// What the address of the page after signing out says.
const SIGNED_OUT: &str = "signed-out";
/// What the address of the page says after an operator asked for a link.
const LINK_ASKED: &str = "link-asked";

/// How long the response to a request for a link takes at least. A write seldom takes longer.
const LEAST_WAIT: Duration = Duration::from_millis(200);

pub(crate) static PAGES: [PageSpec; 6] = [
    page!("console.sign_in.show", GET "/sign-in", Access::Anyone, [], show),
    page!("console.sign_in", POST "/sign-in", Access::Anyone, [], open),
    page!("console.link.ask", POST "/ask-for-link", Access::Anyone, [], ask),
    page!("console.sign_out", POST "/sign-out", Access::Operator, [], sign_out),
    page!("console.sessions", GET "/sessions", Access::Operator, [], list),
    page!("console.sessions.end", POST "/sessions/{id}/end", Access::Operator, [], end),
];

/// Asks whether to sign in. Programs that look at the links of a message use none up, because only the form does.
async fn show(visit: &Visit<'_>) -> Result<Response, PageError> {
    let text = visit.query(LINK_PARAMETER);
    if text.is_empty() {
        return match &visit.signed_in {
            Some(_) => Ok(see_other(&visit.root)),
            None if visit.query(SAID) == SIGNED_OUT => Ok(signed_out(visit)),
            None if visit.query(SAID) == LINK_ASKED => Ok(link_asked(visit)),
            None => Err(PageError::SignedOut),
        };
    }
    let link = read(visit, &text).await?;
    let unknown = PageError::Link("error-link-unknown");
    let operator = find_operator(&*visit.served.data, &link.subject).await?.ok_or(unknown)?;
    let words = visit.words;
    let content = html! {
        p { (words.with("sign-in-as", "name", operator.name.as_str())) }
        form method="post" action=(visit.path("/sign-in")) {
            input type="hidden" name=(LINK_PARAMETER) value=(text);
            button { (words.say("sign-in")) }
        }
    };
    let markup = page(visit, "none", &words.say("sign-in"), &content);
    Ok(html_in(&words.content_language, StatusCode::OK, markup))
}

/// Uses the link, and begins the session. A session that the browser had before ends.
async fn open(visit: &Visit<'_>) -> Result<Response, PageError> {
    let form = visit.form().await?;
    let link = read(visit, form.field(LINK_PARAMETER)?).await?;
    let unknown = PageError::Link("error-link-unknown");
    let operator = find_operator(&*visit.served.data, &link.subject).await?.ok_or(unknown)?;
    let token = token_text(&visit.shared.secrets.secret());
    let real_now = visit.shared.service.clock.now();
    match open_operator_session(&visit.context_of(&operator), &link, &token, real_now).await? {
        OperatorSignIn::Begun => {}
        OperatorSignIn::Used => return Err(PageError::Link("error-link-used")),
        OperatorSignIn::Unknown => return Err(PageError::Link("error-link-unknown")),
    }
    if let Some(old) = &visit.signed_in {
        visit.context::<()>()?.write(EndOperatorSession(old.session.id)).await?;
    }
    let mut response = see_other(&visit.root);
    set_cookie(visit, &token, &mut response).await?;
    Ok(response)
}

async fn read(visit: &Visit<'_>, text: &str) -> Result<SignInLink<OperatorId>, PageError> {
    let secret = visit.served.secrets.get(visit.now).await?;
    SignInLink::read(text, &secret, visit.now).map_err(|refusal| match refusal {
        LinkRefusal::Unknown => PageError::Link("error-link-unknown"),
        LinkRefusal::Expired => PageError::Link("error-link-expired"),
    })
}

/// The page after signing out.
fn signed_out(visit: &Visit<'_>) -> Response {
    let hint = if visit.shared.entrance.openid.is_some() { "openid-signed-out" } else { "signed-out-hint" };
    let content = html! { p { (visit.words.say(hint)) } (openid_button(visit)) };
    Sheet::new(visit, "none", visit.words.say("signed-out")).respond(&content)
}

/// Notes that an operator waits for a link. The response is the same for an address that no operator has.
async fn ask(visit: &Visit<'_>) -> Result<Response, PageError> {
    let form = visit.form().await?;
    let client = visit.request.client.ip().map_or_else(String::new, |ip| ip.to_string());
    if visit.served.state::<LinkAsks>().is_too_many(&client, visit.shared.service.clock.now()) {
        return Err(PageError::TooManyRequests { retry_after_seconds: Some(60) });
    }
    // A known address takes a write. Without the pause, the time of the response would tell which addresses are known.
    let (noted, ()) = tokio::join!(note(visit, form.field("email")?.trim()), tokio::time::sleep(LEAST_WAIT));
    noted?;
    Ok(see_other(&visit.path(&format!("/sign-in?{SAID}={LINK_ASKED}"))))
}

async fn note(visit: &Visit<'_>, address: &str) -> Result<(), PageError> {
    let Ok(email) = Email::parse(address) else { return Ok(()) };
    let Some(operator) = find_operator_by_email(&*visit.served.data, &email).await? else { return Ok(()) };
    let command = AskForLink { operator_id: operator.id.clone(), now: visit.now };
    Ok(visit.context_of::<()>(&operator).write(command).await?)
}

/// The page after an operator asked for a link.
fn link_asked(visit: &Visit<'_>) -> Response {
    let words = visit.words;
    let content = html! { p { (words.with("link-asked-hint", "name", visit.served.tenant.name.as_str())) } };
    Sheet::new(visit, "none", words.say("link-asked")).respond(&content)
}

async fn sign_out(visit: &Visit<'_>) -> Result<Response, PageError> {
    visit.form_of_session().await?;
    visit.context::<()>()?.write(EndOperatorSession(visit.signed_in()?.session.id)).await?;
    let mut response = see_other(&visit.path(&format!("/sign-in?{SAID}={SIGNED_OUT}")));
    cookie(visit.shared, &visit.served).remove(&mut response);
    Ok(response)
}

/// The sessions that an operator may end: the operator's, and all of them for an owner.
async fn sessions(visit: &Visit<'_>) -> Result<Vec<OperatorSession>, PageError> {
    let operator = &visit.signed_in()?.operator;
    let all = list_operator_sessions(&*visit.served.data, visit.shared.service.clock.now()).await?;
    let may_end =
        |session: &OperatorSession| operator.role == Role::Owner || session.operator_id == operator.id;
    Ok(all.into_iter().filter(may_end).collect())
}

async fn list(visit: &Visit<'_>) -> Result<Response, PageError> {
    let words = visit.words;
    let mut rows = Vec::new();
    for session in sessions(visit).await? {
        rows.push(row(visit, &session).await?);
    }
    let columns = [
        Column::text("session-operator"),
        Column::text("session-since").rank(3),
        Column::text("session-until").rank(2),
        Column::text("session-address").rank(2),
        Column::text("session-end"),
    ];
    let content = html! {
        (list_table(visit, &words.say("sessions"), &columns, &rows))
    };
    Ok(Sheet::new(visit, "/sessions", words.say("sessions"))
        .line(html! { (words.say("sessions-hint")) })
        .respond(&content))
}

async fn row(visit: &Visit<'_>, session: &OperatorSession) -> Result<Vec<Markup>, PageError> {
    let (words, served) = (visit.words, &visit.served);
    let signed_in = visit.signed_in()?;
    let operator = find_operator(&*served.data, &session.operator_id).await?;
    let name = operator.map_or_else(|| session.operator_id.to_string(), |operator| operator.name.to_string());
    let is_this = session.id == signed_in.session.id;
    Ok(vec![
        html! { (name) @if is_this { " " span .mark { (words.say("session-this")) } } },
        moment(session.created_at, served, words),
        moment(session.ends_at(), served, words),
        html! { (session.address.as_deref().unwrap_or_default()) },
        html! {
            form method="post" action=(visit.path(&format!("/sessions/{}/end", session.id))) {
                (form_token(&signed_in.form_token))
                button .plain { (words.say("session-end")) }
            }
        },
    ])
}

/// Ends a session. A session of another operator is unknown to all but owners.
async fn end(visit: &Visit<'_>) -> Result<Response, PageError> {
    visit.form_of_session().await?;
    let id = TokenId::parse(&visit.param("id")?).map_err(|_| PageError::NotFound)?;
    if !sessions(visit).await?.iter().any(|session| session.id == id) {
        return Err(PageError::NotFound);
    }
    visit.context::<()>()?.write(EndOperatorSession(id)).await?;
    Ok(see_other(&visit.path("/sessions?said=session-ended")))
}
