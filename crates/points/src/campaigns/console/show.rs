//! A campaign: what it does, its steps, its back-test, and what it gave.

use http::StatusCode;
use maud::{Markup, html};
use pointbook_access::console_kit::icons::{Icon, icon};
use pointbook_access::console_kit::sheet::Sheet;
use pointbook_access::console_kit::{Visit, assets};
use pointbook_campaigns::{Campaign, Warning, parse_stored, warnings};
use pointbook_domain::{Scope, Timestamp};
use pointbook_http::kernel::Response;
use pointbook_http::pages::{PageError, moment};
use pointbook_store::schema::rows::CampaignVersionRow;

use super::back_fill::AGAIN_SECONDS;
use super::list::period;
use super::paths::{PATH, definition, found, path_of, state_mark};
use super::{back_fill, back_test as trial, sentences, steps, versions};
use crate::campaigns::figures::CampaignFigures;
use crate::campaigns::manage::{CampaignDetail, ShownState, campaigns};

/// The id of what says that a change takes over. The parts that name it are loaded again with it.
const CHANGE: &str = "campaign-change";
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
    let is_changing = is_changing(&detail, visit.now);
    let figures = visit.shared.parts.get::<CampaignFigures>()?.0.section(visit, &detail).await?;
    let refused = mistake.filter(|mistake| mistake.form != trial::FORM);
    let content = html! {
        @if let Some(refused) = refused { p .error role="alert" { (words.say("refusal")) ": " (words.say(refused.text)) } }
        p #(CHANGE) .quiet role="status" data-again=[is_changing.then_some(AGAIN_SECONDS)] {
            @if is_changing { (words.say("campaign-changes")) }
        }
        div #campaign-now data-part=(CHANGE) { (in_force(visit, &detail).await?) }
        div .cards {
            @if !figures.0.is_empty() { section .card .seven { (figures) } }
            section .card .five { (trial::section(visit, &id, may_write, mistake).await?) }
            section .card { (versions::section(visit, &detail).await?) }
        }
    };
    let status = mistake.map_or(StatusCode::OK, |mistake| mistake.status);
    let state =
        html! { span #campaign-state data-part=(CHANGE) { (state_mark(visit, detail.summary.state)) } };
    let told = sentences::sentences(visit, &definition(&detail.summary.row.definition)).join(" ");
    let actions = if may_write {
        steps::actions(visit, &detail, refused)?
    } else {
        html! { a .button href=(path_of(visit, id.as_str(), back_fill::BELOW)) { (words.say("back-fill")) } }
    };
    let actions = html! { div .acts #campaign-acts data-part=(CHANGE) { (actions) } };
    let sheet = Sheet::new(visit, PATH, title).beside(state).line(html! { (told) }).actions(actions);
    Ok(sheet.styled(&[assets::CHARTS, assets::CAMPAIGNS]).respond_with(status, &content))
}

/// Whether the last version takes over in the next moments: that of a step does at the next second.
fn is_changing(detail: &CampaignDetail, now: Timestamp) -> bool {
    let at = newest(detail).valid_from;
    now < at && at <= now.plus_seconds(SOON_SECONDS)
}

/// When it runs, what comes next, and what an operator should know.
async fn in_force(visit: &Visit<'_>, detail: &CampaignDetail) -> Result<Markup, PageError> {
    let row = &detail.summary.row;
    let is_over = matches!(detail.summary.state, ShownState::Ended | ShownState::Archived);
    let notes = match parse_stored(&newest(detail).definition) {
        Ok(campaign) if !is_over => notes(visit, &campaign).await?,
        _ => html! {},
    };
    Ok(html! {
        p .quiet { (period(visit, &detail.summary.version.campaign)) " · " code { (row.campaign_id) } }
        (notes)
        (planned(visit, detail))
    })
}

fn newest(detail: &CampaignDetail) -> &CampaignVersionRow {
    let row = detail.versions.iter().max_by_key(|row| (row.valid_from, row.version));
    row.unwrap_or(&detail.summary.row)
}

/// The last version, when it says something else than the one in force.
fn planned(visit: &Visit<'_>, detail: &CampaignDetail) -> Markup {
    let (row, words) = (newest(detail), visit.words);
    let is_same = row.definition == detail.summary.row.definition;
    html! {
        @if !is_same {
            p .notice {
                (words.with("campaign-planned", "version", row.version)) " " (moment(row.valid_from, &visit.served, words)) ": "
                (sentences::sentences(visit, &definition(&row.definition)).join(" "))
            }
        }
    }
}

/// What an operator should know about a definition, beside the campaigns that run, will run or are paused.
pub(super) async fn notes(visit: &Visit<'_>, campaign: &Campaign) -> Result<Markup, PageError> {
    let (words, served) = (visit.words, &visit.served);
    let all = campaigns(served, visit.now, false).await?;
    let is_open = |state| matches!(state, ShownState::Scheduled | ShownState::Running | ShownState::Paused);
    let open = all.iter().filter(|other| is_open(other.state));
    let others: Vec<&Campaign> = open.map(|other| other.version.campaign.as_ref()).collect();
    let text = |warning: &Warning| {
        words.say(&format!("warning-{}", warning.code.as_str().replace('_', "-"))).into_owned()
    };
    let met =
        |warning: &Warning| others.iter().find(|other| Some(other.id()) == warning.other.as_ref()).copied();
    // One line for each kind of warning, with all campaigns that it is about.
    let mut lines: Vec<(String, Vec<&Campaign>)> = Vec::new();
    for warning in warnings(campaign, &others, visit.now, &served.tenant.settings) {
        let text = text(&warning);
        match lines.iter_mut().find(|(known, _)| *known == text) {
            Some((_, campaigns)) => campaigns.extend(met(&warning)),
            None => lines.push((text, met(&warning).into_iter().collect())),
        }
    }
    Ok(html! {
        @if !lines.is_empty() {
            div .hint {
                @for (text, campaigns) in &lines {
                    p {
                        (icon(Icon::Warning)) " " (text)
                        @for (at, other) in campaigns.iter().enumerate() {
                            (if at > 0 { ", " } else { " " })
                            a href=(path_of(visit, other.id().as_str(), "")) { (other.title(None, &served.tenant.locale)) }
                        }
                    }
                }
            }
        }
    })
}
