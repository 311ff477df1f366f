//! A new key. The page that follows shows it once.

use maud::{Markup, html};
use pointbook_domain::Scope;
use pointbook_http::kernel::Response;
use pointbook_http::pages::PageError;
use pointbook_store::ports::{Execution, InsertTokenOutcome};

use super::SECTION;
use super::form::{MAX_DAYS, Mistakes, Typed};
use crate::console_kit::components::{checked_field, form, shown_once};
use crate::console_kit::once::{once_context, once_field};
use crate::console_kit::sheet::Sheet;
use crate::console_kit::{Visit, assets};
use crate::tokens::issue::{keep_token, token_text};

pub(super) async fn show(visit: &Visit<'_>) -> Result<Response, PageError> {
    Ok(sheet(visit).respond(&fields(visit, &Typed::new(), &Mistakes::default())?))
}

pub(super) async fn add(visit: &Visit<'_>) -> Result<Response, PageError> {
    let sent = visit.form_of_session().await?;
    let typed = Typed::of(&sent)?;
    if !typed.is_within(visit.signed_in()?.operator.role) {
        return Err(PageError::Forbidden);
    }
    let new = match typed.read() {
        Ok(new) => new,
        Err(mistakes) => return again(visit, &typed, &mistakes),
    };
    let is_refusal = |outcome: &InsertTokenOutcome| !matches!(outcome, InsertTokenOutcome::Stored);
    let context = once_context(visit, &sent, &typed.request(), is_refusal)?;
    let text = token_text(&visit.shared.secrets.secret());
    match keep_token(&context, &text, new).await? {
        Execution::Executed(InsertTokenOutcome::Stored) => Ok(made(visit, &typed.label, &text)),
        Execution::Executed(InsertTokenOutcome::TooManyKeys) => {
            again(visit, &typed, &Mistakes { label: Some("key-too-many"), ..Mistakes::default() })
        }
        Execution::Replayed(_) => Ok(sent_before(visit)),
        // A key has no user, and an operator's forms have no bound.
        Execution::Executed(InsertTokenOutcome::UserDisabled)
        | Execution::KeyTaken
        | Execution::TooManyKeys => Err(PageError::BadRequest),
    }
}

fn made(visit: &Visit<'_>, label: &str, text: &str) -> Response {
    let content = html! {
        p { (visit.words.with("key-made", "name", label)) }
        (shown_once(visit, ["key-once", "once-hint"], text))
        p { a .button href=(visit.path(SECTION)) { (visit.words.say("keys-back")) } }
    };
    Sheet::new(visit, SECTION, visit.words.say("key-made-title")).respond(&content)
}

/// The key was shown in the first response, and no store has it.
fn sent_before(visit: &Visit<'_>) -> Response {
    let content = html! {
        p .notice role="status" { (visit.words.say("key-sent-before")) }
        p { a .button href=(visit.path(SECTION)) { (visit.words.say("keys-back")) } }
    };
    sheet(visit).respond(&content)
}

fn again(visit: &Visit<'_>, typed: &Typed, mistakes: &Mistakes) -> Result<Response, PageError> {
    let content = fields(visit, typed, mistakes)?;
    Ok(sheet(visit).respond_mistaken(&content))
}

fn sheet<'v>(visit: &'v Visit<'v>) -> Sheet<'v> {
    Sheet::new(visit, SECTION, visit.words.say("key-new")).styled(&[assets::SETTINGS])
}

fn fields(visit: &Visit<'_>, typed: &Typed, mistakes: &Mistakes) -> Result<Markup, PageError> {
    let said = |mistake: Option<&'static str>| mistake.map(|id| visit.words.say(id));
    let (label, networks, days) = (said(mistakes.label), said(mistakes.networks), said(mistakes.days));
    let fields = html! {
        (once_field(visit))
        (checked_field(visit, "key-label", label.as_deref(), html! { input name="label" value=(typed.label) maxlength="255" required; }))
        (scopes(visit, typed, mistakes)?)
        (checked_field(visit, "key-networks-field", networks.as_deref(), html! { textarea name="networks" rows="3" placeholder="203.0.113.0/24" { (typed.networks) } }))
        (checked_field(visit, "key-days", days.as_deref(), html! { input name="days" type="number" min="1" max=(MAX_DAYS) value=(typed.days); }))
    };
    form(visit, &visit.path("/keys/new"), "key-add", fields)
}

/// A box for each scope that the operator has, by noun.
fn scopes(visit: &Visit<'_>, typed: &Typed, mistakes: &Mistakes) -> Result<Markup, PageError> {
    let (words, role) = (visit.words, visit.signed_in()?.operator.role);
    let own: Vec<_> = Scope::ALL.iter().copied().filter(|scope| role.has(*scope)).collect();
    Ok(html! {
        fieldset .scopes {
            legend { (words.say("key-scopes-field")) }
            @if let Some(mistake) = mistakes.scopes { span .error role="alert" { (words.say(mistake)) } }
            @for group in own.chunk_by(|one, other| noun(*one) == noun(*other)) {
                div .choices {
                    @for scope in group {
                        label .check {
                            input type="checkbox" name="scope" value=(scope) checked[typed.scopes.contains(scope)];
                            span { code { (scope) } br; (words.say(&text_of(*scope))) }
                        }
                    }
                }
            }
        }
    })
}

fn noun(scope: Scope) -> &'static str {
    scope.as_str().split(':').next().unwrap_or_default()
}

/// The id of the sentence that says what a scope allows.
fn text_of(scope: Scope) -> String {
    format!("scope-{}", scope.as_str().replace(':', "-"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::console_kit::shared::SOURCES;

    #[test]
    fn each_scope_has_a_sentence() {
        for scope in Scope::ALL {
            let line = format!("\n{} = ", text_of(*scope));
            assert!(SOURCES.iter().all(|(_, source)| source.contains(&line)), "{scope}");
        }
    }
}
