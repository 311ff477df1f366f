//! The tenant's display texts, by locale.

use maud::{Markup, html};
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::components::{checked_field, empty, form};
use pointbook_access::console_kit::sheet::Sheet;
use pointbook_domain::settings::SettingRule;
use pointbook_http::kernel::Response;
use pointbook_http::pages::{PageError, see_other};
use pointbook_store::tenants::check_settings::check_settings;

use super::change::{newest, refused, store};
use super::form::{SECTION, rule_text};

/// What was typed, and the mistake in it.
struct Typed {
    locale: String,
    source: String,
    mistake: Option<SettingRule>,
}

pub(super) async fn show(visit: &Visit<'_>) -> Result<Response, PageError> {
    Ok(Sheet::new(visit, SECTION, visit.words.say("settings-texts")).respond(&page(visit, None)?))
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
    let refused = refused(after.settings.set(&key, source.trim_end()));
    let mut checked = check_settings(&before.settings, &mut after.settings).into_iter();
    let checked = checked.find(|(checked, _)| *checked == key);
    if let Some(mistake) = refused.or(checked.map(|(_, rule)| rule)) {
        let content = page(visit, Some(&Typed { locale, source, mistake: Some(mistake) }))?;
        let sheet = Sheet::new(visit, SECTION, visit.words.say("settings-texts"));
        return Ok(sheet.respond_mistaken(&content));
    }
    store(visit, &before, &after).await?;
    Ok(see_other(&visit.path("/settings/texts?said=texts-saved")))
}

fn page(visit: &Visit<'_>, typed: Option<&Typed>) -> Result<Markup, PageError> {
    let (words, own) = (visit.words, &visit.served.tenant.settings.texts);
    let blank = Typed { locale: String::new(), source: String::new(), mistake: None };
    Ok(html! {
        p { (words.say("texts-hint")) }
        pre { "code-title = QR code scan\ncode-count = { $count ->\n    [one] { $count } scan\n   *[other] { $count } scans\n}" }
        @if own.is_empty() && typed.is_none() { (empty(visit, "texts-none")) }
        @for (locale, source) in own.iter().filter(|(locale, _)| typed.is_none_or(|typed| typed.locale != locale.as_str())) {
            details .panel {
                summary { code { (locale) } }
                (one(visit, &Typed { locale: locale.to_string(), source: source.clone(), mistake: None }, true)?)
            }
        }
        h2 { (words.say("texts-new")) }
        (one(visit, typed.unwrap_or(&blank), false)?)
    })
}

fn one(visit: &Visit<'_>, typed: &Typed, is_known: bool) -> Result<Markup, PageError> {
    let Typed { locale, source, mistake } = typed;
    let said = mistake.as_ref().map(|rule| rule_text(visit.words, rule));
    let is_of_locale = matches!(mistake, Some(SettingRule::TextsLocale));
    let (of_locale, of_source) = if is_of_locale { (said.as_deref(), None) } else { (None, said.as_deref()) };
    let fields = html! {
        (checked_field(visit, "texts-locale", of_locale, html! { input name="locale" value=(locale) readonly[is_known] required placeholder="de-AT"; }))
        (checked_field(visit, "texts-source", of_source, html! { textarea name="source" rows="8" spellcheck="false" { (source) } }))
    };
    form(visit, &visit.path("/settings/texts"), "texts-save", fields)
}
