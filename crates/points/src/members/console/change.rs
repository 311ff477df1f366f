//! Birthday and language of a member, and whether the member is disabled.

use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::draft::Draft;
use pointbook_domain::FieldChange;
use pointbook_http::kernel::Response;
use pointbook_http::pages::{PageError, see_other};
use pointbook_store::ports::UserChange;

use super::forms::Drafts;
use super::paths::{find, member_path};
use super::profile::read_profile;
use super::show::page;
use crate::members::put::put_user;

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
