//! `POST /v1/manage/users/{userId}/transactions/{transactionId}/reverse`: takes back the points of a transaction, once.

use http::StatusCode;
use pointbook_domain::{TransactionId, UserId};
use pointbook_http::answer::finish;
use pointbook_http::body::{BodyFields, JsonBody, Reader, boolean, schema_of, title};
use pointbook_http::describe::{BodyDoc, Operation};
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
    let (reason, is_partial) = read_reversal(body.fields())?;
    let user_id = path_id(request.params, "userId", UserId::new)?;
    let transaction_id = path_id(request.params, "transactionId", TransactionId::new)?;
    let wanted = WantedReversal { row: (user_id, transaction_id), reason, is_partial, max_points: None };
    finish(reverse_transaction(&request.once(body.key, render), wanted).await?, render)
}

/// The reason, and whether to take what is left.
fn read_reversal(mut fields: BodyFields<'_>) -> Result<(String, bool), FieldErrors> {
    let reason = title(MAX_TITLE_CHARS).about("The reason. The history shows it as the subtitle.");
    let reason = fields.required("reason", reason);
    let partial = "Whether to take the points that are left when the balance is too small.";
    let partial = fields.optional("partial", boolean().about(partial));
    fields.finish(|| Some((reason?, partial == Some(true))))
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
