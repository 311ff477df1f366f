//! Awarding points to a member, or taking some.

use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::draft::Draft;
use pointbook_access::console_kit::once::{Sent, once_context, sent};
use pointbook_domain::{Activity, Attributes, Bonuses, SourceId, UserId};
use pointbook_http::kernel::Response;
use pointbook_http::pages::{Form, PageError, see_other};
use pointbook_store::ports::RecordActivityOutcome;

use super::award_form::kinds;
use super::forms::Drafts;
use super::paths::{find, member_path};
use super::read::{read_new_id, read_points, read_text, read_title};
use super::show::page;
use crate::earning::record_activities::NewActivity;
use crate::earning::record_activity::record_activity;

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
    let (user_id, has_breakdown) = (user_id.clone(), !asks_campaigns);
    let new = NewActivity { user_id, activity, has_breakdown, asks_campaigns };
    let (field, fault) = match sent(record_activity(&context, new, false).await?)? {
        Sent::Now(Recorded(_)) | Sent::Before => return Ok(true),
        Sent::RefusedBefore => ("form", "member-fault-refused-before"),
        Sent::OtherBefore => ("form", "member-fault-sent-before"),
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
    let source_id = read_new_id(SourceId::new(draft.or("source_id", "")));
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
