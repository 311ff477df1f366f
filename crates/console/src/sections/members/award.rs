//! Awarding points to a member, or taking some.

use data_encoding::HEXLOWER;
use maud::{Markup, html};
use pointbook_app::limits::MAX_TITLE_CHARS;
use pointbook_app::ports::RecordActivityOutcome;
use pointbook_domain::activity::DOCUMENTED_ACTIVITY_TYPES;
use pointbook_domain::id::MAX_ID_CHARS;
use pointbook_domain::{Activity, ActivityType, Attributes, Bonuses, Points, SourceId, User, UserId};
use pointbook_earning::{NewActivity, record_activity};
use pointbook_http_kernel::Response;
use pointbook_page_kit::{Form, PageError, see_other};

use super::add::id_fault;
use super::show::{Drafts, page};
use super::{find, member_path};
use crate::components::{field, form};
use crate::draft::{Draft, Input};
use crate::once::{Sent, once_context, once_field, sent};
use crate::visit::Visit;

pub(super) fn award_form(visit: &Visit<'_>, user: &User, draft: &Draft<'_>) -> Result<Markup, PageError> {
    let words = visit.words;
    let chosen = draft.or("type", "");
    let source = new_source(visit);
    let titled = |name| Input { max_chars: Some(MAX_TITLE_CHARS), ..Input::text(name) };
    let asks = draft.typed("campaigns").is_some();
    let fields = html! {
        (once_field(visit))
        (draft.said("form"))
        (field(visit, "ledger-type", html! {
            select name="type" {
                @for kind in kinds(visit) { option value=(kind) selected[kind.as_str() == chosen] { (kind) } }
            }
        }))
        (draft.said("type"))
        (draft.input(visit, "member-award-points", &Input { max_chars: Some(MAX_POINTS_CHARS), ..Input::text("points") }))
        (draft.input(visit, "member-award-title", &titled("title")))
        (draft.input(visit, "member-award-subtitle", &Input { is_required: false, ..titled("subtitle") }))
        (draft.input(visit, "member-award-source", &Input { default: &source, max_chars: Some(MAX_ID_CHARS), ..Input::text("source_id") }))
        label .check { input type="checkbox" name="campaigns" value="add" checked[asks]; " " (words.say("member-award-campaigns")) }
    };
    form(visit, &member_path(visit, &user.id, "/activities"), "member-award", fields)
}

/// More than any number of points has.
const MAX_POINTS_CHARS: usize = 20;

/// The activity types of the tenant. Only orders move the points of orders.
fn kinds(visit: &Visit<'_>) -> Vec<ActivityType> {
    let documented = DOCUMENTED_ACTIVITY_TYPES.iter().filter_map(|kind| ActivityType::new(kind).ok());
    let own = visit.served.tenant.settings.activity_types.iter().cloned();
    documented.filter(|kind| !kind.is_order()).chain(own).collect()
}

/// The random bytes of a source id.
const SOURCE_BYTES: usize = 8;

/// A source id that no other award has.
fn new_source(visit: &Visit<'_>) -> String {
    let random = visit.shared.secrets.secret();
    let (random, _) = random.split_at(SOURCE_BYTES);
    format!("console-{}", HEXLOWER.encode(random))
}

/// Records the activity once, however often the form is sent.
pub(super) async fn award(visit: &Visit<'_>) -> Result<Response, PageError> {
    let form = visit.form_of_session().await?;
    let user = find(visit).await?;
    let mut draft = Draft::of(&form);
    if let Some(activity) = read(visit, &mut draft)
        && record(visit, &form, &mut draft, (&user.id, activity)).await?
    {
        return Ok(see_other(&member_path(visit, &user.id, "?said=awarded")));
    }
    // The balance may be another one by now.
    page(visit, &find(visit).await?, &Drafts { award: draft, ..Drafts::default() }).await
}

/// Whether the ledger has it. Otherwise the draft says why not.
async fn record(
    visit: &Visit<'_>,
    form: &Form,
    draft: &mut Draft<'_>,
    (user_id, activity): (&UserId, Activity),
) -> Result<bool, PageError> {
    use RecordActivityOutcome::{AlreadyRecorded, Conflict, OutOfRange, Recorded, TooFewPoints};
    let asks_campaigns = draft.typed("campaigns").is_some();
    let Activity { kind, source_id, points, title, subtitle, .. } = &activity;
    let request =
        format!("members.award {:?}", (user_id, kind, source_id, points, title, subtitle, asks_campaigns));
    let is_refusal = |outcome: &RecordActivityOutcome| !matches!(outcome, Recorded(_));
    let context = once_context(visit, form, &request, is_refusal)?;
    let new = NewActivity { user_id: user_id.clone(), activity, asks_campaigns };
    let (field, fault) = match sent(record_activity(&context, new, false).await?)? {
        Sent::Now(Recorded(_)) | Sent::Before => return Ok(true),
        Sent::RefusedBefore => ("form", "member-fault-refused-before"),
        Sent::Now(AlreadyRecorded(_)) => ("source_id", "member-fault-recorded"),
        Sent::Now(Conflict) => ("source_id", "member-fault-recorded-otherwise"),
        Sent::Now(TooFewPoints) => ("points", "member-fault-too-few-points"),
        Sent::Now(OutOfRange) => ("points", "member-fault-out-of-range"),
    };
    draft.refuse(field, visit.words.say(fault));
    Ok(false)
}

fn read(visit: &Visit<'_>, draft: &mut Draft<'_>) -> Option<Activity> {
    let known = |text: &str| kinds(visit).into_iter().find(|kind| kind.as_str() == text);
    let kind = known(draft.or("type", "")).ok_or("member-fault-choice");
    let kind = draft.take(visit, "type", kind);
    let points = read_points(draft.or("points", ""));
    let points = draft.take(visit, "points", points);
    let title = read_title(draft.or("title", ""));
    let title = draft.take(visit, "title", title);
    let subtitle = read_text(draft.or("subtitle", ""));
    let subtitle = draft.take(visit, "subtitle", subtitle);
    let source_id = SourceId::new(draft.or("source_id", "")).map_err(id_fault);
    let source_id = draft.take(visit, "source_id", source_id);
    Some(Activity {
        kind: kind?,
        source_id: source_id?,
        points: points?,
        bonuses: Bonuses::NONE,
        title: title?,
        subtitle: subtitle?,
        created_at: visit.now,
        attributes: Attributes::NONE,
    })
}

/// Whole points. Negative ones are taken.
fn read_points(text: &str) -> Result<Points, &'static str> {
    if text.is_empty() {
        return Err("member-fault-required");
    }
    let digits = text.strip_prefix(['-', '−']).unwrap_or(text);
    let digits = if digits.len() == text.len() { text.strip_prefix('+').unwrap_or(text) } else { digits };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err("member-fault-whole-number");
    }
    let amount: i64 = digits.parse().map_err(|_| "member-fault-out-of-range")?;
    let is_taken = text.starts_with(['-', '−']);
    Points::new(if is_taken { -amount } else { amount }).map_err(|_| "member-fault-out-of-range")
}

/// A text that is not empty.
pub(super) fn read_title(text: &str) -> Result<String, &'static str> {
    if text.is_empty() { Err("member-fault-required") } else { read_text(text) }
}

fn read_text(text: &str) -> Result<String, &'static str> {
    if text.contains('\0') {
        return Err("member-fault-characters");
    }
    if text.chars().count() > MAX_TITLE_CHARS {
        Err("member-fault-text-too-long")
    } else {
        Ok(text.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_whole_numbers_with_or_without_a_sign() {
        let read = |text| read_points(text).map(Points::get);
        for (text, expected) in [("5", 5), ("+5", 5), ("-5", -5), ("−5", -5), ("0", 0), ("007", 7)] {
            assert_eq!(read(text), Ok(expected), "{text}");
        }
        for text in ["1.5", "1,000", "five", "-", "--5", "-+5", "+-5", "5 0", "٣"] {
            assert_eq!(read(text), Err("member-fault-whole-number"), "{text}");
        }
        for text in ["9007199254740992", "99999999999999999999"] {
            assert_eq!(read(text), Err("member-fault-out-of-range"), "{text}");
        }
        assert_eq!(read(""), Err("member-fault-required"));
    }
}
