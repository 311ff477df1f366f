//! The steps of a campaign: start, pause, resume, end, archive.

use http::StatusCode;
use maud::{Markup, html};
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::components::{danger, field, form};
use pointbook_access::console_kit::once::{once_context, once_field, was_refused};
use pointbook_domain::zones::timestamp_text::parse_local;
use pointbook_http::kernel::Response;
use pointbook_http::pages::{PageError, see_other};
use pointbook_store::ports::Execution;

use super::paths::{id, path_of};
use super::show::{Mistake, show_with};
use crate::campaigns::manage::{
    CampaignDetail, CampaignOutcome, CampaignRefusal, CampaignStep, ShownState, step_campaign,
};

const STEP: &str = "step";
const AT: &str = "at";

/// The forms of the steps that are possible in this state.
pub(super) fn forms(
    visit: &Visit<'_>,
    detail: &CampaignDetail,
    mistake: Option<&Mistake<'_>>,
) -> Result<Markup, PageError> {
    use CampaignStep::{Archive, End};
    let steps = possible(detail.summary.state);
    let path = path_of(visit, &detail.summary.row.campaign_id, "/step");
    let mut forms = Vec::new();
    for step in steps {
        let button = format!("step-{}", step.as_str());
        let mistake = mistake.filter(|mistake| mistake.form == step.as_str());
        let typed = mistake.map(|mistake| mistake.typed[0]);
        let fields = html! {
            @if let Some(mistake) = mistake { p .error role="alert" { (visit.words.say("refusal")) ": " (visit.words.say(mistake.text)) } }
            (once_field(visit))
            input type="hidden" name=(STEP) value=(step.as_str());
            @if matches!(step, End | Archive) { p { (visit.words.say(&format!("{button}-hint"))) } }
            @if !matches!(step, Archive) { (field(visit, "step-at", html! { input type="datetime-local" name=(AT) value=[typed] aria-invalid=[mistake.map(|_| "true")]; })) }
        };
        let is_final = matches!(step, End | Archive);
        forms.push(if is_final && mistake.is_none() {
            danger(visit, &path, &button, fields)?
        } else {
            form(visit, &path, &button, fields)?
        });
    }
    let is_shown = |mistake: &&Mistake<'_>| steps.iter().any(|step| step.as_str() == mistake.form);
    let elsewhere =
        mistake.filter(|mistake| mistake.form != super::back_test::FORM).filter(|mistake| !is_shown(mistake));
    Ok(html! {
        @if let Some(mistake) = elsewhere { p .error role="alert" { (visit.words.say("refusal")) ": " (visit.words.say(mistake.text)) } }
        @if !forms.is_empty() { h2 { (visit.words.say("campaign-steps")) } @for form in forms { (form) } }
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
