//! The virtual clock of a staging tenant.

use http::StatusCode;
use maud::{Markup, html};
use pointbook_domain::zones::timestamp_text::parse_local;
use pointbook_domain::{Environment, Scope};
use pointbook_http::kernel::Response;
use pointbook_http::pages::{Form, PageError, moment, see_other};
use pointbook_store::ports::Execution;
use pointbook_store::tenants::set_clock::{ClockOutcome, ClockTarget, set_clock};

use crate::console_kit::components::{checked_field, danger, facts, form};
use crate::console_kit::once::{once_context, once_field, was_refused};
use crate::console_kit::sheet::Sheet;
use crate::console_kit::{Access, PageSpec, Visit, page};

/// The section of the settings, of which it is a part.
const SECTION: &str = "/settings";

const ACCESS: Access = Access::Scope(Scope::KeysWrite);

/// Only the command line returns a tenant to the real time, so only owners do it here.
pub(crate) static PAGES: [PageSpec; 4] = [
    page!("console.clock", GET "/clock", ACCESS, ["manage.clock.show"], show),
    page!("console.clock.set", POST "/clock", ACCESS, ["manage.clock.put"], set),
    page!("console.clock.advance", POST "/clock/advance", ACCESS, ["manage.clock.put"], advance),
    page!("console.clock.reset", POST "/clock/reset", Access::Owner, [], reset),
];

/// The steps by which the clock goes ahead, with their seconds.
const STEPS: [(&str, u32); 3] = [("day", 86_400), ("week", 7 * 86_400), ("month", 30 * 86_400)];

async fn show(visit: &Visit<'_>) -> Result<Response, PageError> {
    page_of(visit, None)
}

async fn set(visit: &Visit<'_>) -> Result<Response, PageError> {
    let sent = visit.form_of_session().await?;
    let typed = sent.field("at")?.trim();
    let Some(at) = parse_local(typed, &visit.served.zone()) else {
        return page_of(visit, Some((typed, "clock-mistake")));
    };
    go(visit, &sent, ClockTarget::At(at), typed).await
}

async fn advance(visit: &Visit<'_>) -> Result<Response, PageError> {
    let sent = visit.form_of_session().await?;
    let by = sent.field("by")?;
    let step = STEPS.iter().find(|(name, _)| *name == by).ok_or(PageError::BadRequest)?;
    go(visit, &sent, ClockTarget::Forward { seconds: step.1 }, "").await
}

async fn reset(visit: &Visit<'_>) -> Result<Response, PageError> {
    let sent = visit.form_of_session().await?;
    go(visit, &sent, ClockTarget::Real, "").await
}

/// A form that is sent again moves the clock once.
async fn go(visit: &Visit<'_>, sent: &Form, target: ClockTarget, typed: &str) -> Result<Response, PageError> {
    let is_refusal = |outcome: &ClockOutcome| !matches!(outcome, ClockOutcome::Set { .. });
    let context = once_context(visit, sent, &format!("clock\n{target:?}"), is_refusal)?;
    let mistake = match set_clock(&visit.shared.service, &context, target).await? {
        Execution::Replayed(answer) if was_refused(&answer) => return Ok(see_other(&visit.path("/clock"))),
        Execution::Executed(ClockOutcome::Set { .. }) | Execution::Replayed(_) => {
            return Ok(see_other(&visit.path("/clock?said=clock-set")));
        }
        Execution::Executed(ClockOutcome::NotStaging) => "clock-production",
        Execution::Executed(ClockOutcome::GoesBack { .. }) => "clock-goes-back",
        Execution::Executed(ClockOutcome::TooFar) => "clock-too-far",
        Execution::Executed(ClockOutcome::HasLaterEvents) => "clock-later-events",
        Execution::KeyTaken | Execution::TooManyKeys => return Err(PageError::BadRequest),
    };
    page_of(visit, Some((typed, mistake)))
}

/// The page, with what was typed and the id of the mistake in it.
fn page_of(visit: &Visit<'_>, mistake: Option<(&str, &str)>) -> Result<Response, PageError> {
    let (words, tenant) = (visit.words, &visit.served.tenant);
    let real_now = tenant.clock.to_real(visit.now);
    let content = html! {
        p { (words.say("clock-hint")) }
        (facts(visit, [
            ("clock-here", html! { (moment(visit.now, &visit.served, words)) }),
            ("clock-real", html! { (moment(real_now, &visit.served, words)) }),
            ("clock-zone", html! { (visit.served.zone().name()) }),
        ]))
        @if tenant.environment == Environment::Production { p .notice { (words.say("clock-production")) } }
        @else { (forms(visit, mistake)?) }
        p { a href=(visit.path(SECTION)) { (words.say("settings-back")) } }
    };
    let status = if mistake.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    Ok(Sheet::new(visit, SECTION, words.say("clock-title")).respond_with(status, &content))
}

fn forms(visit: &Visit<'_>, mistake: Option<(&str, &str)>) -> Result<Markup, PageError> {
    let words = visit.words;
    let typed = mistake.map(|(typed, _)| typed).filter(|typed| !typed.is_empty());
    let typed = typed.map_or_else(|| next_minute(visit), str::to_owned);
    let said = mistake.map(|(_, id)| words.say(id));
    let step = |(name, _): &(&str, u32)| {
        let fields = html! { (once_field(visit)) input type="hidden" name="by" value=(name); };
        form(visit, &visit.path("/clock/advance"), &format!("clock-advance-{name}"), fields)
    };
    let steps: Vec<_> = STEPS.iter().map(step).collect::<Result<_, _>>()?;
    let at = html! { input name="at" type="datetime-local" value=(typed) required; };
    let fields = html! { (once_field(visit)) (checked_field(visit, "clock-at", said.as_deref(), at)) };
    Ok(html! {
        h2 { (words.say("clock-advance")) }
        div .actions { @for step in &steps { (step) } }
        h2 { (words.say("clock-set-title")) }
        (form(visit, &visit.path("/clock"), "clock-set-button", fields)?)
        @if !visit.served.tenant.clock.is_none() {
            (danger(visit, &visit.path("/clock/reset"), "clock-reset", html! { (once_field(visit)) p { (words.say("clock-reset-hint")) } })?)
        }
    })
}

/// The next minute in the zone of the tenant, as inputs have it.
fn next_minute(visit: &Visit<'_>) -> String {
    let local = visit.served.local_time(visit.now.plus_seconds(60));
    format!("{}T{:02}:{:02}", local.day, local.minute_of_day / 60, local.minute_of_day % 60)
}
