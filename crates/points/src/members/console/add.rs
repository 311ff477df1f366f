//! Adding a member.

use maud::{Markup, html};
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::components::form;
use pointbook_access::console_kit::draft::{Draft, Input};
use pointbook_domain::id::MAX_ID_CHARS;
use pointbook_domain::{FieldChange, UserId};
use pointbook_http::kernel::Response;
use pointbook_http::pages::{PageError, see_other};
use pointbook_store::ports::UserChange;

use super::list;
use super::paths::{SECTION, member_path};
use super::profile::{profile_inputs, read_profile};
use super::read::read_new_id;
use crate::members::put::put_user;

pub(super) fn add_form(visit: &Visit<'_>, draft: &Draft<'_>) -> Result<Markup, PageError> {
    let id = Input { max_chars: Some(MAX_ID_CHARS), ..Input::text("id") };
    let fields = html! {
        (draft.input(visit, "member-id", &id))
        (profile_inputs(visit, draft, None))
    };
    Ok(html! {
        details .panel open[draft.is_refused()] {
            summary { (visit.words.say("member-add")) }
            div {
                p .quiet { (visit.words.say("member-add-hint")) }
                (form(visit, &visit.path(SECTION), "member-add", fields)?)
            }
        }
    })
}

/// Adds a member. The same form once more finds the member with the same profile, and changes nothing.
pub(super) async fn add(visit: &Visit<'_>) -> Result<Response, PageError> {
    let sent = visit.form_of_session().await?;
    let mut draft = Draft::of(&sent);
    let id = read_id(visit, &mut draft);
    let profile = read_profile(visit, &mut draft);
    let Some((id, (birth_date, locale))) = id.zip(profile) else { return list::page(visit, &draft).await };
    if let Some(known) = visit.served.data.user(&id).await?
        && (known.birth_date, &known.locale) != (birth_date, &locale)
    {
        draft.refuse("id", visit.words.say("member-fault-member-exists"));
        return list::page(visit, &draft).await;
    }
    let (birth_date, locale) = (FieldChange::Set(birth_date), FieldChange::Set(locale));
    let change = UserChange { id: id.clone(), birth_date, locale, disabled: None };
    put_user(&visit.context()?, change).await?;
    Ok(see_other(&member_path(visit, &id, "?said=member-added")))
}

fn read_id(visit: &Visit<'_>, draft: &mut Draft<'_>) -> Option<UserId> {
    let read = read_new_id(UserId::new(draft.or("id", "")));
    draft.take(visit, "id", read)
}
