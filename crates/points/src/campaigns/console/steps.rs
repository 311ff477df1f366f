//! The steps of a campaign: start, pause, resume, end, archive.

use http::StatusCode;
use maud::{Markup, html};
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::components::{danger, field, form};
use pointbook_access::console_kit::icons::Icon;
use pointbook_access::console_kit::once::{once_context, once_field, was_refused};
use pointbook_access::console_kit::sheet::{link, more};
use pointbook_domain::zones::timestamp_text::parse_local;
use pointbook_http::kernel::Response;
use pointbook_http::pages::{PageError, form_token, see_other};
use pointbook_store::ports::Execution;

use super::back_fill;
use super::paths::{id, path_of};
use super::show::{Mistake, show_with};
use crate::campaigns::manage::{
    CampaignDetail, CampaignOutcome, CampaignRefusal, CampaignStep, ShownState, step_campaign,
};

const STEP: &str = "step";
const AT: &str = "at";

/// What can be done with the campaign: the usual step as a button, and what is seldom behind three dots.
pub(super) fn actions(
    visit: &Visit<'_>,
    detail: &CampaignDetail,
    mistake: Option<&Mistake<'_>>,
) -> Result<Markup, PageError> {
    use CampaignStep::{Archive, End, Pause};
    let (words, state, id) = (visit.words, detail.summary.state, &detail.summary.row.campaign_id);
    let path = path_of(visit, id, "/step");
    let typed = |step: CampaignStep| {
        mistake.filter(|mistake| mistake.form == step.as_str()).map(|mistake| mistake.typed[0])
    };
    let step = |step: CampaignStep| html! { (once_field(visit)) input type="hidden" name=(STEP) value=(step.as_str()); };
    let at = |step: CampaignStep| {
        let typed = typed(step);
        field(
            visit,
            "step-at",
            html! { input type="datetime-local" name=(AT) value=[typed] aria-invalid=[typed.map(|_| "true")]; },
        )
    };
    let (mut usual, mut seldom) = (None, Vec::new());
    let copy = format!("{}?copy={id}", visit.path("/new-campaign"));
    seldom.push(link(visit, Icon::Add, &copy, "campaign-copy"));
    seldom.push(link(visit, Icon::Reports, &path_of(visit, id, back_fill::BELOW), "back-fill"));
    for possible in possible(state) {
        let button = format!("step-{}", possible.as_str());
        if matches!(possible, End | Archive) {
            let hint = words.say(&format!("{button}-hint"));
            let at = if matches!(possible, End) {
                at(*possible)
            } else {
                html! {}
            };
            seldom.push(danger(visit, &path, &button, html! { (step(*possible)) p { (hint) } (at) })?);
            continue;
        }
        seldom.push(html! {
            details .panel { summary { (words.say(&format!("{button}-later"))) } (form(visit, &path, &button, html! { (step(*possible)) (at(*possible)) })?) }
        });
        let is_primary = !matches!(possible, Pause);
        usual = Some(html! {
            form method="post" action=(path) {
                (form_token(&visit.signed_in()?.form_token)) (step(*possible))
                button .primary[is_primary] { (words.say(&button)) }
            }
        });
    }
    Ok(html! {
        @if state != ShownState::Archived { a .button href=(path_of(visit, id, "/edit")) { (words.say("campaign-edit")) } }
        (more(visit, &seldom))
        @if let Some(usual) = usual { (usual) }
    })
}

fn possible(state: ShownState) -> &'static [CampaignStep] {
    use CampaignStep::{Archive, End, Pause, Resume, Schedule};
    match state {
        ShownState::Draft => &[Schedule, Archive],
        ShownState::Scheduled | ShownState::Running => &[Pause, End],
        ShownState::Paused => &[Resume, End],
        ShownState::Ended => &[Archive],
        ShownState::Archived => &[],
    }
}

pub(super) async fn step(visit: &Visit<'_>) -> Result<Response, PageError> {
    let form = visit.form_of_session().await?;
    let id = id(visit)?;
    let step = form.field(STEP)?;
    let at = form.optional(AT).filter(|at| !at.is_empty());
    let said = format!("{id} {step} {}", at.unwrap_or_default());
    let step = CampaignStep::ALL.iter().copied().find(|known| known.as_str() == step);
    let step = step.ok_or(PageError::BadRequest)?;
    let takes_over_at = match at {
        Some(at) => match parse_local(at, &visit.served.zone()) {
            Some(at) => Some(at),
            None => return refused(visit, step, at, "refusal-time").await,
        },
        None => None,
    };
    let is_refusal = |outcome: &CampaignOutcome| !matches!(outcome, CampaignOutcome::Written(_));
    let context = once_context(visit, &form, &said, is_refusal)?;
    let path = path_of(visit, id.as_str(), "");
    let done = see_other(&format!("{path}?said=campaign-{}", step.as_str()));
    match step_campaign(&context, id, step, takes_over_at).await? {
        Execution::Replayed(answer) if was_refused(&answer) => Ok(see_other(&path)),
        Execution::Replayed(_) => Ok(done),
        Execution::KeyTaken | Execution::TooManyKeys => Err(PageError::BadRequest),
        Execution::Executed(outcome) => match outcome {
            CampaignOutcome::Created(_) | CampaignOutcome::Written(_) | CampaignOutcome::Unchanged(_) => {
                Ok(done)
            }
            CampaignOutcome::NotFound => Err(PageError::NotFound),
            CampaignOutcome::Refused(refusal) => {
                refused(visit, step, at.unwrap_or_default(), hint(&refusal)).await
            }
        },
    }
}

/// The page again, with why the step is refused.
async fn refused(
    visit: &Visit<'_>,
    step: CampaignStep,
    at: &str,
    text: &'static str,
) -> Result<Response, PageError> {
    let status = match text {
        "refusal-time" | "refusal-past" => StatusCode::UNPROCESSABLE_ENTITY,
        _ => StatusCode::CONFLICT,
    };
    show_with(visit, Some(&Mistake { status, form: step.as_str(), text, typed: [at, ""] })).await
}

/// The id of the text that says why a change is refused.
pub(super) fn hint(refusal: &CampaignRefusal) -> &'static str {
    match refusal {
        CampaignRefusal::TooManyCampaigns => "refusal-too-many-campaigns",
        CampaignRefusal::TooManyVersions => "refusal-too-many-versions",
        CampaignRefusal::DefinitionTooLong => "refusal-too-long",
        CampaignRefusal::TooMuchStored => "refusal-too-much-stored",
        CampaignRefusal::TooManyRunning => "refusal-too-many-running",
        CampaignRefusal::InThePast => "refusal-past",
        CampaignRefusal::OtherVersion(_) => "refusal-other-version",
        CampaignRefusal::LaterVersion(_) => "refusal-later-version",
        CampaignRefusal::Closed(_) => "refusal-closed",
        CampaignRefusal::Closing(..) => "refusal-closing",
        CampaignRefusal::WrongStep(..) => "refusal-step",
    }
}
