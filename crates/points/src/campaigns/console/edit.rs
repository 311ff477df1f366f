//! The forms for a new campaign and for a new version of one: sentences, or JSON.

use http::StatusCode;
use maud::{Markup, html};
use pointbook_access::console_kit::components::nothing_saved;
use pointbook_access::console_kit::sheet::Sheet;
use pointbook_access::console_kit::{Visit, assets};
use pointbook_campaigns::{Campaign, CampaignId, Fault, FaultRule, parse};
use pointbook_domain::zones::timestamp_text::parse_local;
use pointbook_domain::{Timestamp, UserId};
use pointbook_http::kernel::Response;
use pointbook_http::pages::{PageError, form_token, see_other};
use pointbook_store::ports::Execution;
use serde_json::Value;

use super::form::{Typed, definition_of, fields, line_of_time, typed_of};
use super::paths::{PATH, definition, found, id, path_of};
use super::steps::hint;
use crate::campaigns::figures::CampaignFigures;
use crate::campaigns::manage::{
    CampaignDetail, CampaignOutcome, CampaignRefusal, ShownState, put_campaign_after,
};

/// What a page of the forms shows.
#[derive(Default)]
struct Shown {
    typed: Typed,
    /// The text of the second form.
    json: String,
    faults: Vec<Fault>,
    /// Where the text of the second form is no JSON.
    json_fault: Option<String>,
    /// Why nothing was saved, and the status that says so.
    refusal: Option<(StatusCode, String)>,
    /// Whether the form of sentences cannot say what the definition says.
    is_only_json: bool,
}

pub(super) async fn new(visit: &Visit<'_>) -> Result<Response, PageError> {
    let mut shown = Shown::default();
    shown.typed.set("number", "100");
    shown.typed.set("version", "0");
    let segment = visit.query("segment");
    if !segment.is_empty() {
        let members = visit.shared.parts.get::<CampaignFigures>()?.0.members_of(visit, &segment).await?;
        let members: Vec<_> = members.iter().map(UserId::as_str).collect();
        shown.typed.set("members", members.join("\n"));
    }
    shown.json = EXAMPLE.replace("LOCALE", visit.served.tenant.locale.as_str());
    page(visit, None, &shown)
}

/// What the second form begins with.
const EXAMPLE: &str = r#"{
  "id": "double-points",
  "title": {"LOCALE": "Double points"},
  "conditions": {"types": ["code"], "weekdays": ["sat", "sun"]},
  "reward": {"percent": 100}
}"#;

pub(super) async fn edit(visit: &Visit<'_>) -> Result<Response, PageError> {
    let (id, detail) = found(visit).await?;
    if matches!(detail.summary.state, ShownState::Archived) {
        return Err(PageError::NotFound);
    }
    page(visit, Some(&id), &shown_of(visit, &id, &detail))
}

/// The last definition in both forms.
fn shown_of(visit: &Visit<'_>, id: &CampaignId, detail: &CampaignDetail) -> Shown {
    let (zone, own) = (visit.served.zone(), &visit.served.tenant.locale);
    let last = detail.versions.iter().max_by_key(|row| (row.valid_from, row.version));
    let stored = &last.unwrap_or(&detail.summary.row).definition;
    let definition = definition(stored);
    let mut typed = typed_of(&definition, &zone, own);
    let again = parse(&definition_of(&typed, id.as_str(), &zone, own), own);
    let is_only_json = again.is_ok_and(|again| again.to_json() != *stored);
    typed.set("version", newest(detail).to_string());
    let json = serde_json::to_string_pretty(&definition).unwrap_or_default();
    Shown { typed, json, is_only_json, ..Shown::default() }
}

fn newest(detail: &CampaignDetail) -> u32 {
    detail.versions.iter().map(|row| row.version).max().unwrap_or_default()
}

fn page(visit: &Visit<'_>, id: Option<&CampaignId>, shown: &Shown) -> Result<Response, PageError> {
    let words = visit.words;
    let back = id.map_or_else(|| visit.path(PATH), |id| path_of(visit, id.as_str(), ""));
    let title = if id.is_some() { "campaign-edit" } else { "campaign-new" };
    let is_wrong = !shown.faults.is_empty() || shown.json_fault.is_some();
    let content = html! {
        p .back { a href=(back) { @if let Some(id) = id { (id) } @else { (words.say("campaign-all")) } } }
        @if id.is_none() { p { (words.say("form-draft-hint")) } }
        @if let Some((_, text)) = &shown.refusal { p .error role="alert" { (words.say("refusal")) ": " (text) } }
        @if is_wrong { (nothing_saved(visit)) }
        (forms(visit, id, shown)?)
    };
    let status = match &shown.refusal {
        Some((status, _)) => *status,
        None if is_wrong => StatusCode::UNPROCESSABLE_ENTITY,
        None => StatusCode::OK,
    };
    Ok(Sheet::new(visit, PATH, words.say(title))
        .styled(&[assets::CHARTS, assets::EDITORS])
        .respond_with(status, &content))
}

fn forms(visit: &Visit<'_>, id: Option<&CampaignId>, shown: &Shown) -> Result<Markup, PageError> {
    let words = visit.words;
    let action = id.map_or_else(|| visit.path("/new-campaign"), |id| path_of(visit, id.as_str(), "/edit"));
    let hidden = html! {
        (form_token(&visit.signed_in()?.form_token))
        input type="hidden" name="version" value=(shown.typed.get("version"));
    };
    let is_json = !shown.typed.get("json").is_empty();
    let end = html! {
        @if id.is_some() { (line_of_time(words, &shown.typed, &shown.faults)) }
        button { (words.say("form-save")) }
    };
    let of_sentences: &[Fault] = if is_json { &[] } else { &shown.faults };
    Ok(html! {
        @if shown.is_only_json { p .hint { (words.say("form-only-json")) } } @else {
            form .sentences-form method="post" action=(action) {
                h2 { (words.say("form-campaign")) }
                (hidden)
                (fields(visit, &shown.typed, of_sentences, id.is_none()))
                (end)
            }
        }
        details open[is_json || shown.is_only_json] {
            summary { (words.say("form-json")) }
            form .stack method="post" action=(action) {
                (hidden)
                p { (words.say("form-json-hint")) }
                @if let Some(fault) = &shown.json_fault { p .error role="alert" { (fault) } }
                @if is_json { @for fault in &shown.faults { (super::form::fault_text(words, fault)) } }
                textarea .code name="json" rows="20" spellcheck="false" aria-label=(words.say("label-definition")) { "\n" (shown.json) }
                (end)
            }
        }
    })
}

pub(super) async fn create(visit: &Visit<'_>) -> Result<Response, PageError> {
    save(visit, None).await
}

pub(super) async fn put(visit: &Visit<'_>) -> Result<Response, PageError> {
    save(visit, Some(id(visit)?)).await
}

async fn save(visit: &Visit<'_>, in_path: Option<CampaignId>) -> Result<Response, PageError> {
    let form = visit.form_of_session().await?;
    if in_path.is_some() {
        found(visit).await?;
    }
    let mut shown = Shown { typed: Typed::of(&form), ..Shown::default() };
    let version: u32 = shown.typed.get("version").parse().map_err(|_| PageError::BadRequest)?;
    let Some((campaign, takes_over_at)) = read(visit, in_path.as_ref(), &mut shown) else {
        return page(visit, in_path.as_ref(), &shown);
    };
    let id = campaign.id().clone();
    let path = path_of(visit, id.as_str(), "");
    let put = put_campaign_after(&visit.context()?, campaign, takes_over_at, Some(version)).await?;
    match put {
        Execution::Executed(CampaignOutcome::Created(_) | CampaignOutcome::Written(_))
        | Execution::Replayed(_) => Ok(see_other(&format!("{path}?said=campaign-written"))),
        Execution::Executed(CampaignOutcome::Unchanged(_)) => {
            Ok(see_other(&format!("{path}?said=campaign-unchanged")))
        }
        Execution::Executed(CampaignOutcome::NotFound) => Err(PageError::NotFound),
        Execution::Executed(CampaignOutcome::Refused(refusal)) => {
            refuse(visit, in_path.as_ref(), &refusal, &mut shown);
            page(visit, in_path.as_ref(), &shown)
        }
        Execution::KeyTaken | Execution::TooManyKeys => Err(PageError::BadRequest),
    }
}

/// Says on the page why nothing was saved. After a conflict, the next save of the same form takes the place of the other version.
fn refuse(visit: &Visit<'_>, in_path: Option<&CampaignId>, refusal: &CampaignRefusal, shown: &mut Shown) {
    let is_invalid = matches!(refusal, CampaignRefusal::InThePast | CampaignRefusal::DefinitionTooLong);
    let status = if is_invalid { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::CONFLICT };
    let text = match (refusal, in_path) {
        (CampaignRefusal::OtherVersion(_), None) => "refusal-id-taken",
        (CampaignRefusal::OtherVersion(newest), Some(_)) => {
            shown.typed.set("version", newest.to_string());
            "refusal-other-version"
        }
        _ => hint(refusal),
    };
    shown.refusal = Some((status, visit.words.say(text).into_owned()));
}

/// Reads the form, or notes its faults.
fn read(
    visit: &Visit<'_>,
    in_path: Option<&CampaignId>,
    shown: &mut Shown,
) -> Option<(Campaign, Option<Timestamp>)> {
    let (zone, own) = (visit.served.zone(), &visit.served.tenant.locale);
    let typed_id = in_path.map_or_else(|| shown.typed.get("id").to_owned(), ToString::to_string);
    let is_json = !shown.typed.get("json").is_empty();
    let mut definition = if is_json {
        shown.json = shown.typed.raw("json").to_owned();
        match serde_json::from_str::<Value>(&shown.json) {
            Ok(definition) => definition,
            Err(error) => {
                let place = [("line", error.line().to_string()), ("column", error.column().to_string())];
                shown.json_fault = Some(visit.words.with_all("fault-json", place));
                return None;
            }
        }
    } else {
        definition_of(&shown.typed, &typed_id, &zone, own)
    };
    if let (Some(id), Some(members)) = (in_path, definition.as_object_mut()) {
        members.insert("id".to_owned(), id.as_str().into());
    }
    let typed_at = shown.typed.get("takes_over_at");
    let at = (!typed_at.is_empty()).then(|| parse_local(typed_at, &zone));
    let mut faults = Vec::new();
    if at == Some(None) {
        faults.push(Fault { field: "takes_over_at".to_owned(), rule: FaultRule::NotALocalTime });
    }
    let read = parse(&definition, own).map_err(|found| faults.extend(found)).ok();
    if !is_json {
        shown.json = serde_json::to_string_pretty(&definition).unwrap_or_default();
    }
    shown.faults = faults;
    if shown.faults.is_empty() { read.map(|campaign| (campaign, at.flatten())) } else { None }
}
