//! Birthday and language of a member, and whether the member is disabled.

use maud::{Markup, html};
use pointbook_app::ports::{FieldChange, UserChange};
use pointbook_app::put_user;
use pointbook_app::timestamp_text::parse_day;
use pointbook_domain::{Day, Locale, User};
use pointbook_http_kernel::Response;
use pointbook_page_kit::{PageError, see_other};

use super::show::{Drafts, page};
use super::{find, member_path};
use crate::draft::{Draft, Input};
use crate::visit::Visit;

/// The inputs for birthday and language, with those of the member.
pub(super) fn profile_inputs(visit: &Visit<'_>, draft: &Draft<'_>, user: Option<&User>) -> Markup {
    let birth_date = user.and_then(|user| user.birth_date).map(Day::to_ascii);
    let birth_date = birth_date.as_ref().and_then(|ascii| str::from_utf8(ascii).ok()).unwrap_or_default();
    let locale = user.and_then(|user| user.locale.as_ref()).map_or("", Locale::as_str);
    let optional = |name| Input { is_required: false, ..Input::text(name) };
    html! {
        (draft.input(visit, "member-birthday", &Input { kind: "date", default: birth_date, ..optional("birth_date") }))
        (draft.input(visit, "member-language-tag", &Input { default: locale, max_chars: Some(Locale::MAX_CHARS), ..optional("locale") }))
    }
}

/// Birthday and language of a form. An empty input clears what was there.
pub(super) fn read_profile(
    visit: &Visit<'_>,
    draft: &mut Draft<'_>,
) -> Option<(Option<Day>, Option<Locale>)> {
    let birth_date = match draft.or("birth_date", "") {
        "" => Ok(None),
        text => match parse_day(text) {
            Some(day) if day <= visit.now.day() => Ok(Some(day)),
            Some(_) => Err("member-fault-future"),
            None => Err("member-fault-day"),
        },
    };
    let locale = match draft.or("locale", "") {
        "" => Ok(None),
        text => Locale::new(text).map(Some).map_err(|_| "member-fault-language"),
    };
    let birth_date = draft.take(visit, "birth_date", birth_date);
    let locale = draft.take(visit, "locale", locale);
    birth_date.zip(locale)
}

pub(super) async fn change(visit: &Visit<'_>) -> Result<Response, PageError> {
    let sent = visit.form_of_session().await?;
    let user = find(visit).await?;
    let mut draft = Draft::of(&sent);
    let Some((birth_date, locale)) = read_profile(visit, &mut draft) else {
        return page(visit, &user, &Drafts { change: draft, ..Drafts::default() }).await;
    };
    let (birth_date, locale) = (FieldChange::Set(birth_date), FieldChange::Set(locale));
    put(visit, UserChange { id: user.id, birth_date, locale, disabled: None }, "member-changed").await
}

pub(super) async fn disable(visit: &Visit<'_>) -> Result<Response, PageError> {
    put_disabled(visit, true, "member-disabled").await
}

pub(super) async fn enable(visit: &Visit<'_>) -> Result<Response, PageError> {
    put_disabled(visit, false, "member-enabled").await
}

async fn put_disabled(visit: &Visit<'_>, disabled: bool, said: &str) -> Result<Response, PageError> {
    visit.form_of_session().await?;
    let id = find(visit).await?.id;
    let (birth_date, locale) = (FieldChange::Keep, FieldChange::Keep);
    put(visit, UserChange { id, birth_date, locale, disabled: Some(disabled) }, said).await
}

async fn put(visit: &Visit<'_>, change: UserChange, said: &str) -> Result<Response, PageError> {
    let path = member_path(visit, &change.id, &format!("?said={said}"));
    put_user(&visit.context()?, change).await?;
    Ok(see_other(&path))
}
