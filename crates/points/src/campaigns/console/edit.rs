//! The forms for a new campaign and for a new version of one: sentences, or JSON.

use std::collections::HashSet;

use http::StatusCode;
use maud::{Markup, html};
use pointbook_access::console_kit::components::field;
use pointbook_access::console_kit::once::{once_context, once_field};
use pointbook_access::console_kit::sheet::{Sheet, save_bar};
use pointbook_access::console_kit::{Visit, assets};
use pointbook_campaigns::{Campaign, CampaignId, Fault, FaultRule, parse};
use pointbook_domain::zones::timestamp_text::parse_local;
use pointbook_domain::{Timestamp, UserId};
use pointbook_http::kernel::Response;
use pointbook_http::pages::{Form as Sent, PageError, form_token, see_other};
use pointbook_store::ports::Execution;
use serde_json::Value;

use super::form::{Form, Typed, add, definition_of, fault_text, remove, typed_of};
use super::paths::{PATH, definition, found, path_of, state_mark};
use super::steps::hint;
use super::templates;
use super::trial::{FEW_ROWS, MANY_ROWS, aside, named};
use crate::campaigns::figures::CampaignFigures;
use crate::campaigns::manage::{
    CampaignDetail, CampaignOutcome, CampaignRefusal, CampaignStep, ShownState, campaign, campaigns,
    put_campaign_after, step_campaign,
};

/// The id of the form.
const FORM: &str = "campaign";
/// The field with what a button of the form does.
const DO: &str = "do";
/// Saves the campaign and starts it.
const START: &str = "start";
/// When a version takes over.
const TAKES_OVER: &str = "takes_over_at";

/// What a page of the forms shows.
#[derive(Default)]
struct Shown {
    typed: Typed,
    /// The whole definition as a text. `None` for sentences.
    json: Option<String>,
    /// What the form says.
    rule: Value,
    faults: Vec<Fault>,
    /// Where the text is no JSON.
    json_fault: Option<String>,
    /// Why nothing was saved, and the status that says so.
    refusal: Option<(StatusCode, String)>,
    /// Whether the sentences cannot say what the definition says.
    is_only_json: bool,
    /// A part of the sentences that was just added.
    added: String,
    /// Whether the form has what is not saved.
    is_unsaved: bool,
    most_rows: u64,
}

/// The campaign that the form changes.
type Changed = Option<(CampaignId, CampaignDetail)>;

/// A template, another campaign, or an empty form.
pub(super) async fn new(visit: &Visit<'_>) -> Result<Response, PageError> {
    let copied = match CampaignId::new(&visit.query("copy")) {
        Ok(copied) => campaign(&visit.served, &copied, visit.now).await?,
        Err(_) => None,
    };
    let segment = visit.query("segment");
    let mut shown = match (copied, templates::chosen(visit)) {
        _ if !segment.is_empty() => {
            let members = visit.shared.parts.get::<CampaignFigures>()?.0.members_of(visit, &segment).await?;
            let members: Vec<_> = members.iter().map(UserId::as_str).collect();
            shown_of(
                visit,
                serde_json::json!({ "reward": { "percent": 100 }, "conditions": { "members": members } }),
            )
        }
        (Some(copied), _) => {
            let mut definition = definition(last(&copied));
            if let Some(members) = definition.as_object_mut() {
                members.remove("id");
            }
            shown_of(visit, definition)
        }
        (None, Some(template)) => shown_of(visit, template),
        (None, None) => shown_of(visit, serde_json::json!({ "reward": { "percent": 100 } })),
    };
    shown.typed.set("version", "0");
    page(visit, &None, &shown).await
}

pub(super) async fn edit(visit: &Visit<'_>) -> Result<Response, PageError> {
    let changed = changed(visit).await?;
    let Some((_, detail)) = &changed else { return Err(PageError::NotFound) };
    let mut shown = shown_of(visit, definition(last(detail)));
    let newest = detail.versions.iter().map(|row| row.version).max().unwrap_or_default();
    shown.typed.set("version", newest.to_string());
    page(visit, &changed, &shown).await
}

/// The campaign of the path. An archived one does not change.
async fn changed(visit: &Visit<'_>) -> Result<Changed, PageError> {
    let found = found(visit).await?;
    if found.1.summary.state == ShownState::Archived { Err(PageError::NotFound) } else { Ok(Some(found)) }
}

/// The definition of the last version.
fn last(detail: &CampaignDetail) -> &str {
    let last = detail.versions.iter().max_by_key(|row| (row.valid_from, row.version));
    &last.unwrap_or(&detail.summary.row).definition
}

/// A definition as sentences. As JSON when they cannot say it.
fn shown_of(visit: &Visit<'_>, rule: Value) -> Shown {
    let (zone, own) = (visit.served.zone(), &visit.served.tenant.locale);
    let typed = typed_of(&rule, &zone, own);
    let canonical = |rule: &Value| parse(&named(visit, rule), own).map(|campaign| campaign.to_json()).ok();
    let again = canonical(&definition_of(&typed, typed.get("id"), &zone, own));
    let is_only_json = canonical(&rule).is_some_and(|rule| again != Some(rule));
    let json = is_only_json.then(|| serde_json::to_string_pretty(&rule).unwrap_or_default());
    Shown { typed, json, rule, is_only_json, most_rows: FEW_ROWS, ..Shown::default() }
}

async fn page(visit: &Visit<'_>, changed: &Changed, shown: &Shown) -> Result<Response, PageError> {
    let words = visit.words;
    let id = changed.as_ref().map(|(id, _)| id.as_str());
    let is_wrong = !shown.faults.is_empty() || shown.json_fault.is_some();
    let (action, again) = match id {
        Some(id) => (path_of(visit, id, "/edit"), path_of(visit, id, "/edit/preview")),
        None => (visit.path("/new-campaign"), visit.path("/new-campaign/preview")),
    };
    let state = changed.as_ref().map_or(ShownState::Draft, |(_, detail)| detail.summary.state);
    let content = html! {
        @if let Some((_, text)) = &shown.refusal { p .error role="alert" { (words.say("refusal")) ": " (text) } }
        @if id.is_none() && !shown.is_unsaved { (templates::choices(visit)) }
        form #(FORM) method="post" action=(action) data-live="#in-words, #tried, #warned" data-wait="1000" data-at=(again) data-unsaved[shown.is_unsaved] {
            // Enter in a field presses the first button of a form.
            button .unseen tabindex="-1" name=(DO) value="show" formaction=(again) { (words.say("in-words")) }
            (form_token(&visit.signed_in()?.form_token))
            @if id.is_none() { (once_field(visit)) }
            input type="hidden" name="version" value=(shown.typed.get("version"));
            div .cards {
                div .eight {
                    @match &shown.json {
                        Some(json) => (as_json(visit, shown, json, changed.is_some())),
                        None => (Form { visit, typed: &shown.typed, faults: &shown.faults, id, again: &again, added: &shown.added }.markup()),
                    }
                }
                (aside(visit, &shown.rule, &again, shown.most_rows).await?)
            }
            (bar(visit, state))
        }
    };
    let tab = |name: &str, is_here: bool| {
        html! { button form=(FORM) name=(DO) value=(name) formaction=(again) aria-pressed=(is_here) { (words.say(&format!("form-{name}"))) } }
    };
    let is_json = shown.json.is_some();
    let tabs = html! { div .segments role="group" aria-label=(words.say("tabs")) { (tab("sentences", !is_json)) (tab("json", is_json)) } };
    let title = words.say(if id.is_some() { "campaign-edit" } else { "campaign-new" });
    let mut sheet = Sheet::new(visit, PATH, title).beside(state_mark(visit, state)).actions(tabs);
    if let Some((id, detail)) = changed {
        let title = detail.summary.version.campaign.title(None, &visit.served.tenant.locale);
        sheet = sheet.below(path_of(visit, id.as_str(), ""), title);
    }
    let sheet = sheet.styled(&[assets::CHARTS, assets::CAMPAIGNS]);
    Ok(match &shown.refusal {
        Some((status, _)) => sheet.respond_with(*status, &content),
        None if is_wrong => sheet.respond_mistaken(&content),
        None => sheet.respond(&content),
    })
}

/// What saving does. A draft may be started at once.
fn bar(visit: &Visit<'_>, state: ShownState) -> Markup {
    let words = visit.words;
    let is_draft = state == ShownState::Draft;
    let hint = words.say(if is_draft { "form-draft-hint" } else { "form-running-hint" });
    let buttons = html! {
        @if is_draft {
            button { (words.say("form-save-draft")) }
            button .primary name=(DO) value=(START) { (words.say("form-save-start")) }
        } @else { button .primary { (words.say("form-save")) } }
    };
    save_bar(visit, &html! { (hint) }, &buttons)
}

fn as_json(visit: &Visit<'_>, shown: &Shown, json: &str, is_stored: bool) -> Markup {
    let words = visit.words;
    html! {
        section .card {
            @if shown.is_only_json { p .hint { (words.say("form-only-json")) } }
            p .quiet { (words.say("form-json-hint")) }
            @if let Some(fault) = &shown.json_fault { p .error role="alert" { (fault) } }
            @for fault in &shown.faults { (fault_text(words, fault)) }
            textarea .code name="json" rows="24" spellcheck="false" aria-label=(words.say("label-definition")) { "\n" (json) }
            @if is_stored {
                (field(visit, "step-at", html! { input type="datetime-local" name=(TAKES_OVER) value=(shown.typed.get(TAKES_OVER)); }))
            }
        }
    }
}

pub(super) async fn create(visit: &Visit<'_>) -> Result<Response, PageError> {
    save(visit, true).await
}

pub(super) async fn put(visit: &Visit<'_>) -> Result<Response, PageError> {
    save(visit, false).await
}

pub(super) async fn preview_new(visit: &Visit<'_>) -> Result<Response, PageError> {
    preview(visit, true).await
}

/// Shows what was sent, after what a button of the form did. It saves nothing.
async fn preview(visit: &Visit<'_>, is_new: bool) -> Result<Response, PageError> {
    let form = visit.form_of_session().await?;
    let changed = &if is_new { None } else { changed(visit).await? };
    let mut shown = sent(visit, changed, &form);
    let (verb, what) = form
        .optional(DO)
        .unwrap_or_default()
        .split_once(' ')
        .unwrap_or((form.optional(DO).unwrap_or_default(), ""));
    match verb {
        "add" => {
            add(&mut shown.typed, what);
            what.clone_into(&mut shown.added);
        }
        "remove" => remove(&mut shown.typed, what),
        // What is no JSON stays as it was typed.
        "json" if shown.json.is_none() => {
            shown.json = Some(serde_json::to_string_pretty(&shown.rule).unwrap_or_default());
        }
        "sentences" if shown.json_fault.is_none() => {
            let kept = ["version", TAKES_OVER].map(|name| (name, shown.typed.get(name).to_owned()));
            shown = shown_of(visit, shown.rule);
            for (name, value) in kept {
                shown.typed.set(name, value);
            }
        }
        "try" | "show" => {
            shown.faults =
                parse(&named(visit, &shown.rule), &visit.served.tenant.locale).err().unwrap_or_default();
            shown.most_rows = if verb == "try" { MANY_ROWS } else { FEW_ROWS };
        }
        _ => {}
    }
    if shown.json.is_none() {
        shown.rule = rule_of(visit, changed, &shown.typed);
    }
    shown.is_unsaved = true;
    page(visit, changed, &shown).await
}

pub(super) async fn preview_changed(visit: &Visit<'_>) -> Result<Response, PageError> {
    preview(visit, false).await
}

/// The definition that the sentences say.
fn rule_of(visit: &Visit<'_>, changed: &Changed, typed: &Typed) -> Value {
    let id = changed.as_ref().map_or_else(|| typed.get("id").to_owned(), |(id, _)| id.to_string());
    definition_of(typed, &id, &visit.served.zone(), &visit.served.tenant.locale)
}

/// What was sent.
fn sent(visit: &Visit<'_>, changed: &Changed, form: &Sent) -> Shown {
    let typed = Typed::of(form);
    let mut shown = Shown { most_rows: FEW_ROWS, is_unsaved: true, ..Shown::default() };
    if form.optional("json").is_none() {
        shown.rule = rule_of(visit, changed, &typed);
        return Shown { typed, ..shown };
    }
    let json = typed.raw("json").to_owned();
    match serde_json::from_str(&json) {
        Ok(rule) => shown.rule = rule,
        Err(error) => {
            let place = [("line", error.line().to_string()), ("column", error.column().to_string())];
            shown.json_fault = Some(visit.words.with_all("fault-json", place));
        }
    }
    if let (Some((id, _)), Some(members)) = (changed, shown.rule.as_object_mut()) {
        members.insert("id".to_owned(), id.as_str().into());
    }
    Shown { typed, json: Some(json), ..shown }
}

async fn save(visit: &Visit<'_>, is_new: bool) -> Result<Response, PageError> {
    let form = visit.form_of_session().await?;
    let changed = &if is_new { None } else { changed(visit).await? };
    let mut shown = sent(visit, changed, &form);
    let version: u32 = shown.typed.get("version").parse().map_err(|_| PageError::BadRequest)?;
    let mut context = visit.context()?;
    if changed.is_none() {
        // The id may be made from the title, so a form that is sent twice would make two campaigns.
        let request = format!("campaigns.new\n{}\n{:?}", shown.rule, form.optional(DO));
        context = once_context(visit, &form, &request, is_refusal)?;
        name(visit, &mut shown).await?;
    }
    let Some((campaign, takes_over_at)) = read(visit, &mut shown) else {
        return page(visit, changed, &shown).await;
    };
    let id = campaign.id().clone();
    let path = path_of(visit, id.as_str(), "");
    let said = match put_campaign_after(&context, campaign, takes_over_at, Some(version)).await? {
        Execution::Executed(CampaignOutcome::Created(_) | CampaignOutcome::Written(_)) => "campaign-written",
        Execution::Replayed(_) => {
            return Ok(see_other(&visit.path(&format!("{PATH}?said=campaign-written"))));
        }
        Execution::Executed(CampaignOutcome::Unchanged(_)) => "campaign-unchanged",
        Execution::Executed(CampaignOutcome::NotFound) => return Err(PageError::NotFound),
        Execution::Executed(CampaignOutcome::Refused(refusal)) => {
            refuse(visit, changed, &refusal, &mut shown);
            return page(visit, changed, &shown).await;
        }
        Execution::KeyTaken => {
            let text = visit.words.say("form-sent-before").into_owned();
            shown.refusal = Some((StatusCode::CONFLICT, text));
            return page(visit, changed, &shown).await;
        }
        Execution::TooManyKeys => return Err(PageError::TooManyRequests { retry_after_seconds: None }),
    };
    let said = if form.optional(DO) == Some(START) { start(visit, id).await? } else { said };
    Ok(see_other(&format!("{path}?said={said}")))
}

fn is_refusal(outcome: &CampaignOutcome) -> bool {
    matches!(outcome, CampaignOutcome::Refused(_) | CampaignOutcome::NotFound)
}

/// Starts a draft that was just saved. Returns the end of the id of the text that says what became of it.
async fn start(visit: &Visit<'_>, id: CampaignId) -> Result<&'static str, PageError> {
    let outcome = step_campaign(&visit.context()?, id, CampaignStep::Schedule, None).await?;
    Ok(match outcome {
        Execution::Executed(CampaignOutcome::Written(_)) => "campaign-schedule",
        _ => "campaign-not-started",
    })
}

/// Gives a new campaign whose id is left empty one that is made from its title, and that no other campaign has.
async fn name(visit: &Visit<'_>, shown: &mut Shown) -> Result<(), PageError> {
    let title = shown.rule["title"][visit.served.tenant.locale.as_str()].as_str().unwrap_or_default();
    let is_named = shown.rule["id"].as_str().is_some_and(|id| !id.is_empty());
    if is_named {
        return Ok(());
    }
    let base = slug(title);
    let all = campaigns(&visit.served, visit.now, true).await?;
    let taken: HashSet<&str> = all.iter().map(|summary| summary.row.campaign_id.as_str()).collect();
    let others = (2..).map(|number: u32| format!("{base}-{number}"));
    let id = std::iter::once(base.clone()).chain(others).find(|id| !taken.contains(id.as_str()));
    if let (Some(id), Some(members)) = (id, shown.rule.as_object_mut()) {
        members.insert("id".to_owned(), id.into());
    }
    Ok(())
}

/// What letters with marks become in an id.
const LATIN: [(&str, &str); 9] = [
    ("äâàáã", "a"),
    ("ç", "c"),
    ("éèêë", "e"),
    ("ğ", "g"),
    ("ıîíï", "i"),
    ("öôóõ", "o"),
    ("ş", "s"),
    ("üûúù", "u"),
    ("ß", "ss"),
];

/// The letters a-z and digits of a title, with a dash for everything between them.
fn slug(title: &str) -> String {
    const MAX_CHARS: usize = 48;
    let latin = |letter: char| {
        let known = LATIN.iter().find(|(letters, _)| letters.contains(letter));
        known.map_or_else(|| letter.to_string(), |(_, latin)| (*latin).to_owned())
    };
    let title: String = title.to_lowercase().chars().map(latin).collect();
    let words = title.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let slug: String = words.collect::<Vec<_>>().join("-").chars().take(MAX_CHARS).collect();
    if slug.is_empty() { "campaign".to_owned() } else { slug.trim_end_matches('-').to_owned() }
}

/// Says on the page why nothing was saved. After a conflict, the next save of the same form takes the place of the other version.
fn refuse(visit: &Visit<'_>, changed: &Changed, refusal: &CampaignRefusal, shown: &mut Shown) {
    let is_invalid = matches!(refusal, CampaignRefusal::InThePast | CampaignRefusal::DefinitionTooLong);
    let status = if is_invalid { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::CONFLICT };
    let text = match (refusal, changed) {
        (CampaignRefusal::OtherVersion(_), None) => "refusal-id-taken",
        (CampaignRefusal::OtherVersion(newest), Some(_)) => {
            shown.typed.set("version", newest.to_string());
            "refusal-other-version"
        }
        _ => hint(refusal),
    };
    shown.refusal = Some((status, visit.words.say(text).into_owned()));
}

/// Reads the definition and its time, or notes the faults.
fn read(visit: &Visit<'_>, shown: &mut Shown) -> Option<(Campaign, Option<Timestamp>)> {
    if shown.json_fault.is_some() {
        return None;
    }
    let typed_at = shown.typed.get(TAKES_OVER);
    let at = (!typed_at.is_empty()).then(|| parse_local(typed_at, &visit.served.zone()));
    if at == Some(None) {
        shown.faults.push(Fault { field: TAKES_OVER.to_owned(), rule: FaultRule::NotALocalTime });
    }
    let read = parse(&shown.rule, &visit.served.tenant.locale);
    let read = read.map_err(|found| shown.faults.extend(found)).ok()?;
    shown.faults.is_empty().then(|| (read, at.flatten()))
}
