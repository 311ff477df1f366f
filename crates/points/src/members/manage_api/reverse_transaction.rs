//! `POST /v1/manage/users/{userId}/transactions/{transactionId}/reverse`: takes back the points of a transaction, once, or parts of them.

use http::StatusCode;
use pointbook_domain::points::MAX_POINTS;
use pointbook_domain::{Points, TransactionId, UserId};
use pointbook_http::answer::finish;
use pointbook_http::body::{BodyFields, JsonBody, Reader, boolean, integer_in, schema_of, title};
use pointbook_http::describe::{BodyDoc, Operation};
use pointbook_http::documentation::Tag;
use pointbook_http::error::{Conflict, FieldCode, FieldErrors, Rule};
use pointbook_http::kernel::Response;
use pointbook_http::views::success::Success;
use pointbook_http::{Answer, ApiError, ApiRequest, path_id};
use pointbook_store::limits::MAX_TITLE_CHARS;

use crate::earning::reverse_transaction::{
    MAX_RETURNS, ReversalOutcome, WantedReversal, reverse_transaction,
};
use crate::earning::view::ActivityView;

pub(super) async fn reverse(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let body = JsonBody::of(&request).await?;
    let Asked { reason, part, is_partial } = read_reversal(body.fields())?;
    if part.is_some() && body.key.is_none() {
        return Err(FieldErrors::one("Idempotency-Key", Rule::sentence(FieldCode::Required, KEY)).into());
    }
    let user_id = path_id(request.params, "userId", UserId::new)?;
    let transaction_id = path_id(request.params, "transactionId", TransactionId::new)?;
    let row = (user_id, transaction_id);
    let wanted = WantedReversal { row, reason, part, is_partial, max_points: None };
    finish(reverse_transaction(&request.once(body.key, render), wanted).await?, render)
}

/// Why a return needs a key.
const KEY: &str = "The Idempotency-Key is required with points: it tells a repeat from another return of the same number of points.";

struct Asked {
    reason: String,
    part: Option<Points>,
    /// Whether to take what is left.
    is_partial: bool,
}

fn read_reversal(mut fields: BodyFields<'_>) -> Result<Asked, FieldErrors> {
    let reason = title(MAX_TITLE_CHARS).about("The reason. The history shows it as the subtitle.");
    let reason = fields.required("reason", reason);
    let part = "How many of the base points of the transaction are returned, from 1 to those that are not reversed yet. Their \
                share of the bonuses goes with them. Without it, all that is left is reversed.";
    let part = fields.optional("points", integer_in(1..=MAX_POINTS).about(part));
    let part = part.and_then(|points| Points::new(points).ok());
    let partial = "Whether to take the points that are left when the balance is too small.";
    let partial = fields.optional("partial", boolean().about(partial));
    fields.finish(|| Some(Asked { reason: reason?, part, is_partial: partial == Some(true) }))
}

fn render(outcome: &ReversalOutcome) -> Answer {
    let refused = |rule| ApiError::Invalid(FieldErrors::one("points", rule)).into();
    let (status, reversal) = match outcome {
        ReversalOutcome::Reversed(reversal) => (StatusCode::CREATED, reversal),
        ReversalOutcome::AlreadyReversed(reversal) => (StatusCode::OK, reversal),
        ReversalOutcome::Conflict => return ApiError::from(Conflict::AlreadyRecorded).into(),
        ReversalOutcome::Unknown => return ApiError::NotFound.into(),
        ReversalOutcome::OfOrder => return ApiError::from(Conflict::TransactionOfOrder).into(),
        ReversalOutcome::TooFewPoints { shortfall, leaves_some } => {
            let remedy = if *leaves_some {
                "send partial = true to take what is left"
            } else {
                "there is nothing to take"
            };
            let words = format!("exceed the balance by {shortfall}: {remedy}");
            return refused(Rule::new(FieldCode::InsufficientPoints, words));
        }
        ReversalOutcome::TooMuch { left: 0 } => {
            return refused(Rule::new(
                FieldCode::TooLarge,
                "of this transaction are reversed already, or it has only bonuses",
            ));
        }
        ReversalOutcome::TooMuch { left } => return refused(Rule::at_most(*left)),
        ReversalOutcome::TooManyReturns => {
            let words = format!(
                "are of a transaction with {MAX_RETURNS} returns: leave them out to reverse the rest"
            );
            return refused(Rule::new(FieldCode::TooMany, words));
        }
        ReversalOutcome::OutOfRange => return refused(Rule::BALANCE_IN_RANGE),
        ReversalOutcome::OverLimit(_) => return ApiError::Forbidden.into(),
    };
    Answer::json(status, &Success::with_points(ActivityView::from(reversal), reversal.user_points))
}

pub(super) fn documentation() -> Operation {
    Operation::ours("reverseTransaction", Tag::Management, "Reverse a transaction")
        .describe(
            "Records the opposite of a transaction, bonuses included, under the same type and the source id \
             `{transactionId}:reversal`. A transaction can be reversed once: a repeated request returns 200 with the \
             first reversal. If returns have taken back all of it, the response is a 422 on `points`. A transaction of an order gets 409: cancel the order instead. If the balance is too \
             small, the response is a 422 on `points` that says how many points are missing. With `partial`, the \
             reversal takes the points that are left, down to 0.\n\nA return reverses a part: `points` says how many of the \
             base points, and their share of the bonuses goes with them. There may be several, up to the whole, and together they are \
             exactly the transaction. Each needs an `Idempotency-Key`. Its source id is `{transactionId}:reversal:{points}`, \
             with all base points that are reversed then. Where the setting `returns_may_overdraw` is on, a reversal may take points that \
             the user has spent: the balance falls below 0, and new points pay that first.",
        )
        .defining("Reversal", || schema_of(read_reversal))
        .reading(BodyDoc::Json("Reversal", r#"{"reason": "Receipt was returned", "partial": true}"#))
        .success_with_points::<ActivityView<'_>>(StatusCode::OK, "The first reversal.", EXAMPLE)
        .success_with_points::<ActivityView<'_>>(StatusCode::CREATED, "The reversal, and the balance.", EXAMPLE)
}

const EXAMPLE: &str = r#"{
    "success": true,
    "data": {
        "type": "code",
        "points": -260,
        "bonus_points": 0,
        "title": "QR code scan",
        "subtitle": "Receipt was returned",
        "created_at": "2026-05-05T07:30:00.000000Z",
        "id": "01a1ff0e1c5573b2a1f09d7e31c0f4aa",
        "source_id": "01a1ff0a91c77e0380d6a0c5f0a7b3de:reversal",
        "seq": 4
    },
    "user_points": 1370
}"#;
