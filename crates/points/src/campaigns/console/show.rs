//! A campaign: what it does, its steps, its back-test, and what it gave.

use http::StatusCode;
use maud::{Markup, html};
use pointbook_access::console_kit::components::facts;
use pointbook_access::console_kit::sheet::Sheet;
use pointbook_access::console_kit::{Visit, assets};
use pointbook_campaigns::{Campaign, Warning, parse_stored, warnings};
use pointbook_domain::{Scope, Timestamp};
use pointbook_http::kernel::Response;
use pointbook_http::pages::{PageError, moment};
use pointbook_store::schema::rows::CampaignVersionRow;
use serde_json::Value;

use super::back_fill::AGAIN_SECONDS;
use super::list::period;
use super::paths::{PATH, definition, found, path_of, state_mark};
use super::{back_test as trial, sentences, steps, versions};
use crate::campaigns::figures::CampaignFigures;
use crate::campaigns::manage::{CampaignDetail, ShownState, campaigns};

/// A page with a version that takes over within this time loads again until it has.
const SOON_SECONDS: u32 = 2;

pub(super) async fn show(visit: &Visit<'_>) -> Result<Response, PageError> {
    show_with(visit, None).await
}

/// A form of this page that was refused.
pub(super) struct Mistake<'f> {
    pub(super) status: StatusCode,
    /// The name of its step, or [`trial::FORM`].
    pub(super) form: &'f str,
    /// The id of the text that says why.
    pub(super) text: &'static str,
    pub(super) typed: [&'f str; 2],
}

/// The page, with what is wrong with one of its forms.
pub(super) async fn show_with(
    visit: &Visit<'_>,
    mistake: Option<&Mistake<'_>>,
) -> Result<Response, PageError> {
    let (id, detail) = found(visit).await?;
    let words = visit.words;
    let may_write = visit.signed_in()?.operator.role.has(Scope::CampaignsWrite);
    let title = detail.summary.version.campaign.title(None, &visit.served.tenant.locale);
    let warnings = warnings_of(visit, &detail).await?;
    let is_changing = is_changing(&detail, visit.now);
    let content = html! {
        p .back { a href=(visit.path(PATH)) { (words.say("campaign-all")) } }
        p #campaign-change .quiet role="status" data-again=[is_changing.then_some(AGAIN_SECONDS)] {
            @if is_changing { (words.say("campaign-changes")) }
        }
        div #campaign-now data-part="campaign-change" { (in_force(visit, &detail, &warnings, may_write, mistake)?) }
        (visit.shared.parts.get::<CampaignFigures>()?.0.section(visit, &detail).await?)
        (trial::section(visit, &id, may_write, mistake).await?)
        (versions::section(visit, &detail).await?)
    };
    let status = mistake.map_or(StatusCode::OK, |mistake| mistake.status);
    Ok(Sheet::new(visit, PATH, title).styled(&[assets::CHARTS]).respond_with(status, &content))
}

/// Whether the last version takes over in the next moments: that of a step does at the next second.
fn is_changing(detail: &CampaignDetail, now: Timestamp) -> bool {
    let at = newest(detail).valid_from;
    now < at && at <= now.plus_seconds(SOON_SECONDS)
}

/// What the campaign is now, what comes next, and the steps that are possible.
fn in_force(
    visit: &Visit<'_>,
    detail: &CampaignDetail,
    warnings: &[Warning],
    may_write: bool,
    mistake: Option<&Mistake<'_>>,
) -> Result<Markup, PageError> {
    let words = visit.words;
    let id = &detail.summary.row.campaign_id;
    let is_archived = matches!(detail.summary.state, ShownState::Archived);
    Ok(html! {
        (facts(visit, [
            ("campaign-state", state_mark(visit, detail.summary.state)),
            ("campaign-period", period(visit, &detail.summary.version.campaign)),
            ("campaign-id", html! { code { (id) } }),
        ]))
        (warning_list(visit, warnings))
        h2 { (words.say("campaign-definition")) }
        (sentence_list(visit, &definition(&detail.summary.row.definition)))
        (planned(visit, detail))
        @if may_write {
            @if !is_archived { p { a .button href=(path_of(visit, id, "/edit")) { (words.say("campaign-edit")) } } }
            (steps::forms(visit, detail, mistake)?)
        }
    })
}

fn sentence_list(visit: &Visit<'_>, definition: &Value) -> Markup {
    let sentences = sentences::sentences(visit, definition);
    html! { ul .sentences { @for sentence in sentences { li { (sentence) } } } }
}

fn newest(detail: &CampaignDetail) -> &CampaignVersionRow {
    let row = detail.versions.iter().max_by_key(|row| (row.valid_from, row.version));
    row.unwrap_or(&detail.summary.row)
}

/// The last version, when it says something else than the one in force.
fn planned(visit: &Visit<'_>, detail: &CampaignDetail) -> Markup {
    let row = newest(detail);
    let words = visit.words;
    let is_same = row.definition == detail.summary.row.definition;
    html! {
        @if !is_same {
            p { (words.with("campaign-planned", "version", row.version)) " " (moment(row.valid_from, &visit.served, words)) }
            (sentence_list(visit, &definition(&row.definition)))
        }
    }
}

/// What an operator should know about the last definition, as after a change of it.
async fn warnings_of(visit: &Visit<'_>, detail: &CampaignDetail) -> Result<Vec<Warning>, PageError> {
    if matches!(detail.summary.state, ShownState::Ended | ShownState::Archived) {
        return Ok(Vec::new());
    }
    let Ok(campaign) = parse_stored(&newest(detail).definition) else { return Ok(Vec::new()) };
    let all = campaigns(&visit.served, visit.now, false).await?;
    let is_open = |state| matches!(state, ShownState::Scheduled | ShownState::Running | ShownState::Paused);
    let open = all.iter().filter(|other| is_open(other.state));
    let others: Vec<&Campaign> = open.map(|other| other.version.campaign.as_ref()).collect();
    let settings = &visit.served.tenant.settings;
    Ok(warnings(&campaign, &others, visit.now, settings))
}

fn warning_list(visit: &Visit<'_>, warnings: &[Warning]) -> Markup {
    let words = visit.words;
    let text = |warning: &Warning| {
        words.say(&format!("warning-{}", warning.code.as_str().replace('_', "-"))).into_owned()
    };
    html! {
        @if !warnings.is_empty() {
            section .hint {
                h2 { (words.say("campaign-warnings")) }
                ul {
                    @for warning in warnings {
                        li { (text(warning)) @if let Some(other) = &warning.other { " " a href=(path_of(visit, other.as_str(), "")) { (other) } } }
                    }
                }
            }
        }
    }
}
