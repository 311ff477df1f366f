//! The tenant's display texts, by locale.

use http::StatusCode;
use maud::{Markup, html};
use pointbook_http_kernel::Response;
use pointbook_page_kit::{PageError, see_other};
use pointbook_upkeep::check_settings;

use super::change::{newest, rule_of, store};
use super::form::SECTION;
use pointbook_console_kit::components::{checked_field, empty, form, respond, respond_with};
use pointbook_console_kit::visit::Visit;

/// What was typed, and the mistake in it.
struct Typed {
    locale: String,
    source: String,
    mistake: String,
}

pub(super) async fn show(visit: &Visit<'_>) -> Result<Response, PageError> {
    Ok(respond(visit, SECTION, &visit.words.say("settings-texts"), &page(visit, None)?))
}

/// An empty text removes the texts of its locale.
pub(super) async fn change(visit: &Visit<'_>) -> Result<Response, PageError> {
    let sent = visit.form_of_session().await?;
    let locale = sent.field("locale")?.trim().to_owned();
    // Browsers send other ends of lines than Fluent files have.
    let source = sent.field("source")?.replace("\r\n", "\n");
    let before = newest(visit).await?;
    let mut after = before.clone();
    let key = format!("texts.{locale}");
    let refused = after.settings.set(&key, source.trim_end()).map_err(rule_of);
    let checked = check_settings(&mut after.settings).into_iter().find(|(problem, _)| *problem == key);
    if let Some(mistake) = refused.err().or(checked.map(|(_, problem)| problem)) {
        let content = page(visit, Some(&Typed { locale, source, mistake }))?;
        let title = visit.words.say("settings-texts");
        return Ok(respond_with(visit, StatusCode::UNPROCESSABLE_ENTITY, SECTION, &title, &content));
    }
    store(visit, &before, &after).await?;
    Ok(see_other(&visit.path("/settings/texts?said=texts-saved")))
}

fn page(visit: &Visit<'_>, typed: Option<&Typed>) -> Result<Markup, PageError> {
    let (words, own) = (visit.words, &visit.served.tenant.settings.texts);
    let blank = Typed { locale: String::new(), source: String::new(), mistake: String::new() };
    Ok(html! {
        p { (words.say("texts-hint")) }
        pre { "code-title = QR code scan\ncode-count = { $count ->\n    [one] { $count } scan\n   *[other] { $count } scans\n}" }
        @if own.is_empty() && typed.is_none() { (empty(visit, "texts-none")) }
        @for (locale, source) in own.iter().filter(|(locale, _)| typed.is_none_or(|typed| typed.locale != locale.as_str())) {
            details .entry {
                summary { code { (locale) } }
                (one(visit, &Typed { locale: locale.to_string(), source: source.clone(), mistake: String::new() }, true)?)
            }
        }
        h2 { (words.say("texts-new")) }
        (one(visit, typed.unwrap_or(&blank), false)?)
        p { a href=(visit.path(SECTION)) { (words.say("settings-back")) } }
    })
}

fn one(visit: &Visit<'_>, typed: &Typed, is_known: bool) -> Result<Markup, PageError> {
    let Typed { locale, source, mistake } = typed;
    let mistake = Some(mistake).filter(|mistake| !mistake.is_empty());
    let mistake = mistake.map(|rule| visit.words.with("setting-mistake", "reason", rule.as_str()));
    let fields = html! {
        (checked_field(visit, "texts-locale", None, html! { input name="locale" value=(locale) readonly[is_known] required placeholder="de-AT"; }))
        (checked_field(visit, "texts-source", mistake.as_deref(), html! { textarea name="source" rows="8" spellcheck="false" { (source) } }))
    };
    form(visit, &visit.path("/settings/texts"), "texts-save", fields)
}
