//! The page of one operator: facts, role, sessions, link, removal.

use maud::{Markup, html};
use pointbook_domain::{Operator, Role};
use pointbook_http::kernel::Response;
use pointbook_http::pages::{PageError, form_token, moment, number};

use super::add::roles;
use super::shared::{SECTION, address, of_path};
use crate::console_kit::authors::Authors;
use crate::console_kit::components::{danger, facts, form};
use crate::console_kit::icons::Icon;
use crate::console_kit::path_part::segment;
use crate::console_kit::sheet::{Sheet, link, more};
use crate::console_kit::{Visit, assets};
use crate::sessions::{list_link_requests, list_operator_sessions};

pub(super) async fn show(visit: &Visit<'_>) -> Result<Response, PageError> {
    page(visit, &of_path(visit).await?, None).await
}

/// What went wrong: the id of its text, and whether the removal or the change of the role did.
pub(super) struct Mistake {
    pub(super) text: &'static str,
    pub(super) is_removal: bool,
    /// The role that was chosen.
    pub(super) role: Role,
}

/// The page, after a mistake with the status that forms with mistakes have.
pub(super) async fn page(
    visit: &Visit<'_>,
    operator: &Operator,
    mistake: Option<Mistake>,
) -> Result<Response, PageError> {
    let (words, data) = (visit.words, &*visit.served.data);
    let sessions = list_operator_sessions(data, visit.shared.service.clock.now()).await?;
    let open = sessions.iter().filter(|session| session.operator_id == operator.id).count();
    let authors = Authors::of(visit).await?;
    let path = address(visit, &operator.id);
    let asked = list_link_requests(data).await?.into_iter().find(|(id, _)| *id == operator.id);
    let token = &visit.signed_in()?.form_token;
    let content = html! {
        @if let Some((_, at)) = asked {
            p .waiting { span .badge .warn { (words.say("operator-asks")) } " " (moment(at, &visit.served, words)) ". " (words.say("operator-asked-hint")) }
        }
        (facts(visit, [
            ("operator-email", html! { (operator.email) }),
            ("operator-added", html! { (moment(operator.created_at, &visit.served, words)) ", " (authors.name_or_id(&operator.created_by)) }),
            ("operator-sessions", html! { (number(i64::try_from(open).unwrap_or(i64::MAX), words)) }),
        ]))
        p .quiet { (words.say("operator-link-hint")) }
        (role_form(visit, operator, &path, mistake.as_ref())?)
        @if open > 0 {
            h2 { (words.say("operator-sessions")) }
            p { (words.say("operator-end-sessions-hint")) }
            (form(visit, &format!("{path}/end-sessions"), "operator-end-sessions", html! {})?)
        }
        (removal(visit, operator, &path, mistake.as_ref())?)
    };
    let audit = format!("{}?actor=operator:{}", visit.path("/audit-log"), segment(operator.id.as_str()));
    let sheet = Sheet::new(visit, SECTION, operator.name.as_str())
        .beside(html! { span .badge { (words.say(&format!("role-{}", operator.role))) } })
        .styled(&[assets::SETTINGS])
        .actions(html! {
            (more(visit, &[link(visit, Icon::Audit, &audit, "operator-audit")]))
            form method="post" action={ (path) "/link" } { (form_token(token)) button .primary { (words.say("operator-link-make")) } }
        });
    Ok(if mistake.is_some() { sheet.respond_mistaken(&content) } else { sheet.respond(&content) })
}

fn role_form(
    visit: &Visit<'_>,
    operator: &Operator,
    path: &str,
    mistake: Option<&Mistake>,
) -> Result<Markup, PageError> {
    let fields = html! {
        @if let Some(mistake) = mistake.filter(|mistake| !mistake.is_removal) { span .error role="alert" { (visit.words.say(mistake.text)) } }
        (roles(visit, Some(mistake.map_or(operator.role, |mistake| mistake.role))))
        (confirmation(visit, operator)?)
    };
    Ok(html! {
        h2 { (visit.words.say("operator-change-role")) }
        p { (visit.words.say("operator-last-owner-rule")) }
        (form(visit, &format!("{path}/role"), "operator-set-role", fields)?)
    })
}

fn removal(
    visit: &Visit<'_>,
    operator: &Operator,
    path: &str,
    mistake: Option<&Mistake>,
) -> Result<Markup, PageError> {
    let fields = html! {
        p { (visit.words.say("operator-remove-hint")) }
        (confirmation(visit, operator)?)
    };
    Ok(html! {
        h2 { (visit.words.say("operator-removal")) }
        @if let Some(mistake) = mistake.filter(|mistake| mistake.is_removal) { p .error role="alert" { (visit.words.say(mistake.text)) } }
        (danger(visit, &format!("{path}/remove"), "operator-remove", fields)?)
    })
}

/// A box that owners must tick before they take the role from themselves.
fn confirmation(visit: &Visit<'_>, operator: &Operator) -> Result<Markup, PageError> {
    let is_self = visit.signed_in()?.operator.id == operator.id;
    Ok(html! {
        @if is_self {
            label .check { input type="checkbox" name="confirm" value="yes"; span { (visit.words.say("operator-confirm")) } }
        }
    })
}
