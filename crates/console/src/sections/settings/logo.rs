//! The logo of the tenant: a picture that is stored, and whose URL is a setting.

use maud::{Markup, html};
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::components::mistake;
use pointbook_catalogue::pictures::{AddPicture, TooManyPictures, url_of};
use pointbook_domain::PictureFormat;
use pointbook_http::kernel::Response;
use pointbook_http::pages::{Form, FormLimits, PageError, form_token, see_other};
use pointbook_store::background::in_background_for;

use super::change::{newest, store};
use super::form::{SECTION, Typed};
use super::page::page_of;
use super::sheet;

/// A form with a picture. It takes more than a picture may have, so that a larger one gets a page that says why it is refused.
pub(super) const UPLOAD: FormLimits =
    FormLimits { bytes: 8 * 1024 * 1024, fields: 16, files: 1, too_large: "picture-form-too-large" };

const FILE: &str = "picture";
const REMOVE: &str = "remove";

/// The HTML id of the form. It is empty: its fields stand in the form of all settings.
const FORM: &str = "logo";

/// The least side of a logo. It has 32 pixels on a page, and a screen may have three for each.
const MIN_SIDE_PIXELS: u32 = 96;

/// The form to which [`fields`] belong.
pub(super) fn form(visit: &Visit<'_>) -> Result<Markup, PageError> {
    let token = &visit.signed_in()?.form_token;
    Ok(html! {
        form #(FORM) method="post" action=(visit.path("/settings/logo")) enctype="multipart/form-data" { (form_token(token)) }
    })
}

/// The logo, and what replaces or removes it.
pub(super) fn fields(visit: &Visit<'_>, fault: Option<&str>) -> Markup {
    let words = visit.words;
    let logo = visit.served.tenant.settings.logo.as_deref();
    let accepted = PictureFormat::ALL.map(PictureFormat::content_type).join(",");
    html! {
        div .setting {
            div {
                label for="logo-file" { (words.say("brand-logo")) }
                p .quiet #logo-hint { (words.say("brand-logo-hint")) }
            }
            div .logo {
                @if let Some(logo) = logo { img src=(logo) alt="" width="32" height="32"; }
                input #logo-file type="file" form=(FORM) name=(FILE) accept=(accepted) aria-describedby="logo-hint";
                button form=(FORM) { (words.say("brand-logo-upload")) }
                @if logo.is_some() { button form=(FORM) name=(REMOVE) value="true" .bare { (words.say("brand-logo-remove")) } }
                @if let Some(fault) = fault { (mistake(&words.say(fault))) }
            }
        }
    }
}

pub(super) async fn change(visit: &Visit<'_>) -> Result<Response, PageError> {
    let sent = visit.form_of_session().await?;
    let logo = if sent.optional(REMOVE).is_some() { Ok(None) } else { upload(visit, &sent).await?.map(Some) };
    let before = newest(visit).await?;
    let mut after = before.clone();
    match logo {
        Ok(logo) => after.settings.logo = logo,
        Err(text) => {
            let typed = Typed { logo: Some(text), ..Typed::of_tenant(&before) };
            return Ok(sheet(visit).respond_mistaken(&page_of(visit, &typed)?));
        }
    }
    store(visit, &before, &after).await?;
    Ok(see_other(&visit.path(&format!("{SECTION}?said=logo-saved"))))
}

/// Stores the picture of the form, and returns its URL, or the id of what is wrong with it.
async fn upload(visit: &Visit<'_>, sent: &Form) -> Result<Result<String, &'static str>, PageError> {
    let Some(file) = sent.file(FILE) else { return Ok(Err("picture-refused-none")) };
    let (context, bytes, now) = (visit.context::<()>()?, file.bytes.clone(), visit.now);
    let picture = match in_background_for(context.worker(), move || AddPicture::of(&bytes, now)).await? {
        Ok(picture) => picture,
        Err(fault) => return Ok(Err(fault.text())),
    };
    let (width, height) = picture.size();
    if width != height || width < MIN_SIDE_PIXELS {
        return Ok(Err("brand-logo-not-square"));
    }
    match context.write(picture).await? {
        Ok(added) => Ok(Ok(url_of(&visit.served.tenant, &added.picture))),
        Err(TooManyPictures) => Ok(Err("picture-refused-too-many")),
    }
}
