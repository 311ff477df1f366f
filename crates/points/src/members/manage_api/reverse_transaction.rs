//! `POST /v1/manage/users/{userId}/transactions/{transactionId}/reverse`: takes back the points of a transaction, once.

use http::StatusCode;
use pointbook_domain::{TransactionId, UserId};
use pointbook_http::answer::finish;
use pointbook_http::body::{JsonBody, boolean, title};
use pointbook_http::describe::{BodyDoc, Operation, Schema, optional, required};
use pointbook_http::documentation::Tag;
use pointbook_http::error::{Conflict, FieldCode, FieldErrors, Rule};
use pointbook_http::kernel::Response;
use pointbook_http::views::success::Success;
use pointbook_http::{Answer, ApiError, ApiRequest, path_id};
use pointbook_store::limits::MAX_TITLE_CHARS;

use crate::earning::reverse_transaction::{ReversalOutcome, WantedReversal, reverse_transaction};
use crate::earning::view::ActivityView;

pub(super) async fn reverse(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let body = JsonBody::of(&request).await?;
    let mut fields = body.fields();
    let reason = fields.required("reason", title(MAX_TITLE_CHARS));
    let partial = fields.optional("partial", boolean);
    let reason = fields.finish(|| reason)?;
    let user_id = path_id(request.params(), "userId", UserId::new)?;
    let transaction_id = path_id(request.params(), "transactionId", TransactionId::new)?;
    let (row, is_partial) = ((user_id, transaction_id), partial == Some(true));
    let wanted = WantedReversal { row, reason, is_partial, max_points: None };
    finish(reverse_transaction(&request.once(body.key, render)?, wanted).await?, render)
}

fn render(outcome: &ReversalOutcome) -> Answer {
    let refused = |rule| ApiError::Invalid(FieldErrors::one("points", rule)).into();
    let (status, reversal) = match outcome {
        ReversalOutcome::Reversed(reversal) => (StatusCode::CREATED, reversal),
        ReversalOutcome::AlreadyReversed(reversal) => (StatusCode::OK, reversal),
        ReversalOutcome::Conflict => return ApiError::from(Conflict::RecordedOtherwise).into(),
        ReversalOutcome::Unknown => return ApiError::NotFound.into(),
        ReversalOutcome::OfOrder => return ApiError::from(Conflict::OfOrder).into(),
        ReversalOutcome::TooFewPoints { shortfall, leaves_some } => {
            let remedy = if *leaves_some {
                "send partial = true to take what is left"
            } else {
                "there is nothing to take"
            };
            let words = format!("exceed the balance by {shortfall}: {remedy}");
            return refused(Rule::new(FieldCode::InsufficientPoints, words));
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
             first reversal. A transaction of an order gets 409: cancel the order instead. If the balance is too \
             small, the response is a 422 on `points` that says how many points are missing. With `partial`, the \
             reversal takes the points that are left, down to 0.",
        )
        .defining("Reversal", reversal_schema)
        .reading(BodyDoc::Json("Reversal", r#"{"reason": "Receipt was returned", "partial": true}"#))
        .answering(StatusCode::OK, "The first reversal.", "RecordedActivityWritten", EXAMPLE)
        .answering(StatusCode::CREATED, "The reversal, and the balance.", "RecordedActivityWritten", EXAMPLE)
}

fn reversal_schema() -> Schema {
    let reason =
        Schema::title_to(MAX_TITLE_CHARS).describe("The reason. The history shows it as the subtitle.");
    let partial = Schema::boolean()
        .or_null()
        .describe("Whether to take the points that are left when the balance is too small.");
    Schema::closed([required("reason", reason), optional("partial", partial)])
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
