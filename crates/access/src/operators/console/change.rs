//! Changes of one operator: role, link, sessions, removal.

use maud::html;
use pointbook_domain::{Operator, OperatorId, Role};
use pointbook_http::kernel::Response;
use pointbook_http::pages::{Form, PageError, moment, see_other};

use super::one::{Mistake, page};
use super::shared::{SECTION, address, of_path, refused};
use crate::console_kit::Visit;
use crate::console_kit::components::shown_once;
use crate::console_kit::sheet::Sheet;
use crate::operators::manage::{RemoveOperator, SetOperatorRole};
use crate::sessions::{EndSessionsOfOperator, NoteLink, PagesOf, SignInLink, link_url};

pub(super) async fn role(visit: &Visit<'_>) -> Result<Response, PageError> {
    let sent = visit.form_of_session().await?;
    let operator = of_path(visit).await?;
    let role = Role::parse(sent.field("role")?).map_err(|_| PageError::BadRequest)?;
    let mistake = |text| Some(Mistake { text, is_removal: false, role });
    if role != operator.role && is_unconfirmed(visit, &operator, &sent)? {
        return page(visit, &operator, mistake("operator-confirm-mistake")).await;
    }
    let command = SetOperatorRole { email: operator.email.clone(), role };
    match visit.context::<()>()?.write(command).await? {
        Ok(()) => Ok(see_other(&format!("{}?said=operator-role-set", after(visit, &operator, role)?))),
        Err(refusal) => page(visit, &operator, mistake(refused(refusal))).await,
    }
}

/// Where a change of the role leads: owners who gave up the role may not see operators any more.
fn after(visit: &Visit<'_>, operator: &Operator, role: Role) -> Result<String, PageError> {
    let has_left = visit.signed_in()?.operator.id == operator.id && role != Role::Owner;
    Ok(if has_left { visit.path("/sessions") } else { address(visit, &operator.id) })
}

pub(super) async fn remove(visit: &Visit<'_>) -> Result<Response, PageError> {
    let sent = visit.form_of_session().await?;
    let operator = of_path(visit).await?;
    let mistake = |text| Some(Mistake { text, is_removal: true, role: operator.role });
    if is_unconfirmed(visit, &operator, &sent)? {
        return page(visit, &operator, mistake("operator-confirm-mistake")).await;
    }
    match visit.context::<()>()?.write(RemoveOperator(operator.email.clone())).await? {
        Ok(()) => Ok(see_other(&visit.path("/operators?said=operator-removed"))),
        Err(refusal) => page(visit, &operator, mistake(refused(refusal))).await,
    }
}

/// Whether owners are about to take the role from themselves without having said so.
fn is_unconfirmed(visit: &Visit<'_>, operator: &Operator, sent: &Form) -> Result<bool, PageError> {
    Ok(is_own(visit, &operator.id)? && sent.optional("confirm") != Some("yes"))
}

fn is_own(visit: &Visit<'_>, id: &OperatorId) -> Result<bool, PageError> {
    Ok(visit.signed_in()?.operator.id == *id)
}

/// The link is by the clock of the tenant, as its use is: a clock that jumps ahead ends it.
pub(super) async fn link(visit: &Visit<'_>) -> Result<Response, PageError> {
    visit.form_of_session().await?;
    let operator = of_path(visit).await?;
    let secret = visit.served.secrets.get(visit.now).await?;
    visit.context::<()>()?.write(NoteLink::OfOperator(operator.id.clone())).await?;
    let link = SignInLink::new(operator.id.clone(), visit.now, visit.shared.secrets.secret());
    let (tenant, entrance) = (&visit.served.tenant, &visit.shared.entrance);
    let url = link_url(entrance.origin.of(tenant), PagesOf::Console, tenant, &link.to_text(&secret));
    let words = visit.words;
    let content = html! {
        p { (words.with("operator-link-made", "name", operator.name.as_str())) " " (moment(link.expires_at, &visit.served, words)) }
        (shown_once(visit, ["operator-link-once", "operator-link-hint"], &url))
        p { a .button href=(address(visit, &operator.id)) { (words.say("operator-back")) } }
    };
    Ok(Sheet::new(visit, SECTION, words.say("operator-link")).respond(&content))
}

pub(super) async fn end_sessions(visit: &Visit<'_>) -> Result<Response, PageError> {
    visit.form_of_session().await?;
    let operator = of_path(visit).await?;
    visit.context::<()>()?.write(EndSessionsOfOperator(operator.id.clone())).await?;
    Ok(see_other(&format!("{}?said=operator-sessions-ended", address(visit, &operator.id))))
}
