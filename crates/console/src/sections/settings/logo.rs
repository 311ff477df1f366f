//! The logo of the tenant: a picture that is stored, and whose URL is a setting.

use maud::{Markup, html};
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::components::mistake;
use pointbook_catalogue::pictures::upload::{FILE, accepted, chosen_name, has_file, not_uploaded, store};
use pointbook_catalogue::pictures::url_of;
use pointbook_http::pages::{Form, PageError};

const REMOVE: &str = "remove_logo";

/// The least side of a logo. It has 32 pixels on a page, and a screen may have three for each.
const MIN_SIDE_PIXELS: u32 = 96;

/// The logo, and what replaces or removes it. `fault` is the id of what is wrong with the file that was sent.
pub(super) fn fields(visit: &Visit<'_>, fault: Option<&str>) -> Markup {
    let words = visit.words;
    let logo = visit.served.tenant.settings.logo.as_deref();
    html! {
        div .setting {
            div {
                label for="logo-file" { (words.say("brand-logo")) }
                p .quiet #logo-hint { (words.say("brand-logo-hint")) }
            }
            div .logo {
                @if let Some(logo) = logo { img src=(logo) alt="" width="32" height="32"; }
                input #logo-file type="file" name=(FILE) accept=(accepted()) aria-describedby="logo-hint";
                @if logo.is_some() { label .check { input type="checkbox" name=(REMOVE) value="true"; span { (words.say("brand-logo-remove")) } } }
                @if let Some(fault) = fault { (mistake(&words.say(fault))) }
            }
        }
    }
}

/// Whether the form has a picture, of which a browser without the form's encoding sends the name alone.
pub(super) fn is_chosen(form: &Form) -> bool {
    has_file(form) || chosen_name(form).is_some()
}

/// Takes the logo of the form, which stores its picture. Returns the id of what is wrong with it.
pub(super) async fn change(
    visit: &Visit<'_>,
    form: &Form,
    logo: &mut Option<String>,
) -> Result<Option<&'static str>, PageError> {
    if let Some(name) = chosen_name(form) {
        return Ok(Some(not_uploaded(name).text));
    }
    if has_file(form) {
        match store(visit, form, misfit).await? {
            Ok(added) => *logo = Some(url_of(&visit.served.tenant, &added.picture)),
            Err(refusal) => return Ok(Some(refusal.text)),
        }
    } else if form.optional(REMOVE).is_some() {
        *logo = None;
    }
    Ok(None)
}

fn misfit((width, height): (u32, u32)) -> Option<&'static str> {
    (width != height || width < MIN_SIDE_PIXELS).then_some("brand-logo-not-square")
}
