//! Taking back the points of a ledger row.

use maud::{Markup, html};
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::components::form;
use pointbook_access::console_kit::draft::{Draft, Input};
use pointbook_access::console_kit::once::{Sent, once_context, once_field, sent};
use pointbook_domain::{Points, Role, TransactionId, UserId};
use pointbook_http::kernel::Response;
use pointbook_http::pages::{Form, PageError, points, see_other};
use pointbook_store::limits::MAX_TITLE_CHARS;
use pointbook_store::ports::LedgerEntry;

use super::award_form::MAX_POINTS_CHARS;
use super::paths::{find, ids, member_path, row_path};
use super::read::{read_points, read_title};
use super::transaction::page;
use crate::earning::reverse_transaction::{
    ReversalOutcome, WantedReversal, reversal_is_beyond, reverse_transaction,
};
use crate::members::read::member;

pub(super) fn reverse_form(
    visit: &Visit<'_>,
    user: &UserId,
    row: &TransactionId,
    draft: &Draft<'_>,
) -> Result<Markup, PageError> {
    let reason = Input { max_chars: Some(MAX_TITLE_CHARS), ..Input::text("reason") };
    let part = Input { max_chars: Some(MAX_POINTS_CHARS), is_required: false, ..Input::text("points") };
    let is_partial = draft.typed("partial").is_some();
    let fields = html! {
        (once_field(visit))
        (draft.said("form"))
        p .quiet { (visit.words.say("ledger-reverse-hint")) }
        @if let Some(max) = max_points(visit)? {
            p .quiet { (visit.words.with_all("ledger-reverse-limit", [("points", points(max.get(), visit.words))])) }
        }
        (draft.input(visit, "ledger-reverse-reason", &reason))
        (draft.input(visit, "ledger-reverse-points", &part))
        label .check { input type="checkbox" name="partial" value="true" checked[is_partial]; " " (visit.words.say("ledger-reverse-partial")) }
    };
    form(visit, &row_path(visit, user, row.as_str(), "/reverse"), "ledger-reverse", fields)
}

/// The sentence that the row moves more points than the operator may reverse. `None` when the operator may try.
pub(super) async fn too_many(visit: &Visit<'_>, entry: &LedgerEntry) -> Result<Option<String>, PageError> {
    let Some(max) = max_points(visit)? else { return Ok(None) };
    let user = member(&visit.served, &entry.user_id, visit.now).await?.ok_or(PageError::NotFound)?;
    let activity = &entry.transaction.activity;
    // Of other rows, the operator may return a part.
    let is_beyond = activity.points == Points::ZERO && reversal_is_beyond(max, activity, user.balance);
    Ok(is_beyond.then(|| sentence(visit, &ReversalOutcome::OverLimit(max))))
}

/// The most points that the operator may reverse at a time. `None` for no limit.
fn max_points(visit: &Visit<'_>) -> Result<Option<Points>, PageError> {
    let limit = visit.served.tenant.settings.support_reversal_points;
    let is_limited = visit.signed_in()?.operator.role == Role::Support && limit > 0;
    Ok(is_limited.then(|| Points::from(limit)))
}

/// The part of a row that is returned. Nothing stands for all that is left.
fn read_part(text: &str) -> Result<Option<Points>, &'static str> {
    if text.is_empty() {
        return Ok(None);
    }
    let part = read_points(text)?;
    if part > Points::ZERO { Ok(Some(part)) } else { Err("member-fault-part") }
}

/// Reverses the row, or a part of it, once, however often the form is sent.
pub(super) async fn reverse(visit: &Visit<'_>) -> Result<Response, PageError> {
    let form = visit.form_of_session().await?;
    let (user, row) = ids(visit)?;
    find(visit).await?;
    let mut draft = Draft::of(&form);
    let reason = read_title(draft.or("reason", ""));
    let part = read_part(draft.or("points", ""));
    let (reason, part) = (draft.take(visit, "reason", reason), draft.take(visit, "points", part));
    if let (Some(reason), Some(part)) = (reason, part)
        && record(visit, &form, &mut draft, (&user, &row, (reason, part))).await?
    {
        return Ok(see_other(&member_path(visit, &user, "?said=reversed")));
    }
    page(visit, &draft).await
}

/// Whether the row is reversed by this form. Otherwise the draft says why not.
async fn record(
    visit: &Visit<'_>,
    form: &Form,
    draft: &mut Draft<'_>,
    (user, row, (reason, part)): (&UserId, &TransactionId, (String, Option<Points>)),
) -> Result<bool, PageError> {
    let is_partial = draft.typed("partial").is_some();
    let request = format!("members.reverse {:?}", (user, row, &reason, part, is_partial));
    let is_refusal = |outcome: &ReversalOutcome| !matches!(outcome, ReversalOutcome::Reversed(_));
    let context = once_context(visit, form, &request, is_refusal)?;
    let row = (user.clone(), row.clone());
    let wanted = WantedReversal { row, reason, part, is_partial, max_points: max_points(visit)? };
    let fault = match sent(reverse_transaction(&context, wanted).await?)? {
        Sent::Now(ReversalOutcome::Reversed(_)) | Sent::Before => return Ok(true),
        Sent::Now(ReversalOutcome::Unknown) => return Err(PageError::NotFound),
        Sent::Now(outcome) => sentence(visit, &outcome),
        Sent::RefusedBefore => visit.words.say("member-fault-refused-before").into_owned(),
        Sent::OtherBefore => visit.words.say("member-fault-sent-before").into_owned(),
    };
    draft.refuse("form", fault);
    Ok(false)
}

/// Why a row is not reversed.
fn sentence(visit: &Visit<'_>, outcome: &ReversalOutcome) -> String {
    let words = visit.words;
    let id = match outcome {
        ReversalOutcome::TooFewPoints { shortfall, leaves_some } => {
            let id = if *leaves_some { "member-fault-balance-partly" } else { "member-fault-balance-empty" };
            return words.with_all(id, [("points", points(*shortfall, words))]);
        }
        ReversalOutcome::OverLimit(max) => {
            return words.with_all("member-fault-over-limit", [("points", points(max.get(), words))]);
        }
        ReversalOutcome::TooMuch { left } if *left > 0 => {
            return words.with_all("member-fault-beyond-row", [("points", points(*left, words))]);
        }
        ReversalOutcome::TooMuch { .. }
        | ReversalOutcome::AlreadyReversed(_)
        | ReversalOutcome::Reversed(_) => "member-fault-reversed",
        ReversalOutcome::TooManyReturns => "member-fault-too-many-returns",
        ReversalOutcome::OfOrder => "member-fault-of-order",
        ReversalOutcome::OutOfRange => "member-fault-out-of-range",
        ReversalOutcome::Conflict => "member-fault-reversal-conflict",
        ReversalOutcome::Unknown => "error-not-found",
    };
    words.say(id).into_owned()
}
