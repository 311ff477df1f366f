//! Birthday and language of a member in a form.

use maud::{Markup, html};
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::draft::{Draft, Input};
use pointbook_domain::zones::timestamp_text::parse_day;
use pointbook_domain::{Day, Locale, User};

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
