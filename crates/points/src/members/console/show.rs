//! The page of a member.

use maud::{Markup, html};
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::components::{facts, respond, respond_mistaken};
use pointbook_domain::{Day, Locale, User};
use pointbook_http::kernel::Response;
use pointbook_http::pages::{PageError, date, moment, points, spelt, visible};

use super::forms::Drafts;
use super::paths::{SECTION, find};
use super::tokens::sign_ins;
use super::{forms, ledger, notes};

pub(super) async fn show(visit: &Visit<'_>) -> Result<Response, PageError> {
    page(visit, &find(visit).await?, &Drafts::default()).await
}

/// The page, with forms that were refused.
pub(super) async fn page(visit: &Visit<'_>, user: &User, drafts: &Drafts<'_>) -> Result<Response, PageError> {
    let Drafts { award, change, link, note } = drafts;
    let is_refused = award.is_refused() || change.is_refused() || link.is_refused() || note.is_refused();
    let content = html! {
        @if let Some(ascii) = spelt(user.id.as_str()) {
            p .notice { (visit.words.say("member-looks-alike")) " " code { (ascii) } }
        }
        (profile(visit, user, visit.served.data.first_day(&user.id).await?))
        (sign_ins(visit, user).await?)
        (forms::all(visit, user, drafts)?)
        (notes::of(visit, user, note).await?)
        (ledger::of(visit, user).await?)
    };
    let respond = if is_refused { respond_mistaken } else { respond };
    Ok(respond(visit, SECTION, &visible(user.id.as_str()), &content))
}

fn profile(visit: &Visit<'_>, user: &User, first_day: Option<Day>) -> Markup {
    let User { id: _, balance, birth_date, locale, disabled_at, created_at, birth_date_set_at: _ } = user;
    let (words, served) = (visit.words, &visit.served);
    let state = html! {
        @match disabled_at {
            Some(at) => { span .mark { (words.say("member-disabled")) } " " (moment(*at, served, words)) }
            None => (words.say("member-enabled")),
        }
    };
    let known = [
        ("member-balance", html! { strong .balance-now { (points(balance.get(), words)) } }),
        ("member-birthday", html! { (birth_date.map_or_else(|| "–".to_owned(), |day| date(day, words))) }),
        ("member-language", html! { (locale.as_ref().map_or("–", Locale::as_str)) }),
        ("member-since", moment(*created_at, served, words)),
        (
            "member-first-activity",
            html! { (first_day.map_or_else(|| "–".to_owned(), |day| date(day, words))) },
        ),
        ("member-state", state),
    ];
    facts(visit, known)
}
