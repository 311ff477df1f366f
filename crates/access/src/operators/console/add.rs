//! A new operator.

use maud::{Markup, html};
use pointbook_domain::{Email, OperatorName, Role};
use pointbook_http::kernel::Response;
use pointbook_http::pages::{Form, PageError, see_other};

use super::shared::{SECTION, address, refused};
use crate::console_kit::components::{checked_field, form};
use crate::console_kit::sheet::Sheet;
use crate::console_kit::{Visit, assets};
use crate::operators::manage::{OperatorRefusal, add_operator, list_operators};

/// What was typed, and the ids of the texts of the mistakes.
#[derive(Default)]
struct Typed {
    email: String,
    name: String,
    role: Option<Role>,
    email_mistake: Option<&'static str>,
    name_mistake: Option<&'static str>,
}

pub(super) async fn show(visit: &Visit<'_>) -> Result<Response, PageError> {
    let content = fields(visit, &Typed::default())?;
    Ok(Sheet::new(visit, SECTION, visit.words.say("operator-new"))
        .styled(&[assets::SETTINGS])
        .respond(&content))
}

/// A form that is sent again finds the email address taken, so it adds one operator.
pub(super) async fn add(visit: &Visit<'_>) -> Result<Response, PageError> {
    let (mut typed, role, email, name) = read(&visit.form_of_session().await?)?;
    let (email, name) = match (email, name) {
        (Some(email), Some(name)) => (email, name),
        (email, _) => {
            // The form names all of its mistakes at once.
            let operators = list_operators(&*visit.served.data).await?;
            if operators.iter().any(|operator| email.as_ref() == Some(&operator.email)) {
                typed.email_mistake = Some(refused(OperatorRefusal::EmailTaken));
            }
            return again(visit, &typed);
        }
    };
    match add_operator(&visit.context()?, (email, name), role).await? {
        Ok(operator) => Ok(see_other(&format!("{}?said=operator-added", address(visit, &operator.id)))),
        Err(refusal) => {
            typed.email_mistake = Some(refused(refusal));
            again(visit, &typed)
        }
    }
}

/// What was typed, and each field that has no mistake.
fn read(sent: &Form) -> Result<(Typed, Role, Option<Email>, Option<OperatorName>), PageError> {
    let (email, name) = (sent.field("email")?.trim(), sent.field("name")?.trim());
    let role = Role::parse(sent.field("role")?).map_err(|_| PageError::BadRequest)?;
    let (read_email, read_name) = (Email::parse(email).ok(), OperatorName::new(name).ok());
    let typed = Typed {
        email: email.to_owned(),
        name: name.to_owned(),
        role: Some(role),
        email_mistake: read_email.is_none().then_some("operator-email-mistake"),
        name_mistake: read_name.is_none().then_some("operator-name-mistake"),
    };
    Ok((typed, role, read_email, read_name))
}

fn again(visit: &Visit<'_>, typed: &Typed) -> Result<Response, PageError> {
    let content = fields(visit, typed)?;
    let title = visit.words.say("operator-new");
    Ok(Sheet::new(visit, SECTION, title).styled(&[assets::SETTINGS]).respond_mistaken(&content))
}

fn fields(visit: &Visit<'_>, typed: &Typed) -> Result<Markup, PageError> {
    let said = |mistake: Option<&'static str>| mistake.map(|id| visit.words.say(id));
    let (email, name) = (said(typed.email_mistake), said(typed.name_mistake));
    let fields = html! {
        (checked_field(visit, "operator-email", email.as_deref(), html! { input name="email" type="email" value=(typed.email) maxlength="254" autocomplete="off" required; }))
        (checked_field(visit, "operator-name", name.as_deref(), html! { input name="name" value=(typed.name) maxlength="255" autocomplete="off" required; }))
        (roles(visit, typed.role))
    };
    Ok(html! {
        p { (visit.words.say("operator-new-hint")) }
        (form(visit, &visit.path("/operators/new"), "operator-add", fields)?)
    })
}

/// A button for each role, with what it allows.
pub(super) fn roles(visit: &Visit<'_>, chosen: Option<Role>) -> Markup {
    let words = visit.words;
    let chosen = chosen.unwrap_or(Role::Support);
    html! {
        fieldset .scopes {
            legend { (words.say("operator-role")) }
            @for role in Role::ALL {
                label .check {
                    input type="radio" name="role" value=(role) checked[role == chosen];
                    span { strong { (words.say(&format!("role-{role}"))) } br; (words.say(&format!("operator-role-{role}"))) }
                }
            }
        }
    }
}
