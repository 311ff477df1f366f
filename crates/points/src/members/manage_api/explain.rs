//! `GET /v1/manage/users/{userId}/transactions/{transactionId}/explain`: why a transaction has its bonuses.

use http::StatusCode;
use pointbook_domain::{TransactionId, UserId};
use pointbook_http::describe::Operation;
use pointbook_http::documentation::Tag;
use pointbook_http::kernel::Response;
use pointbook_http::views::success::Success;
use pointbook_http::{Answer, ApiError, ApiRequest, path_id};

use crate::earning::explain::explain;
use crate::earning::explanation_view::ExplanationView;

pub(super) async fn explain_transaction(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let user_id = path_id(request.params, "userId", UserId::new)?;
    let id = path_id(request.params, "transactionId", TransactionId::new)?;
    let explanation = explain(&request.context(), &user_id, &id).await?.ok_or(ApiError::NotFound)?;
    let view = ExplanationView::from(&explanation);
    Ok(Answer::json(StatusCode::OK, &Success::of(view)).into_response())
}

pub(super) fn documentation() -> Operation {
    Operation::ours("explainTransaction", Tag::Management, "Explain the bonuses of a transaction")
        .describe(
            "Says of each campaign whether it gave a bonus, or the one reason why not. The server computes it again from the \
             transaction, the awards before it, and the versions of that moment. The birth date of the user is that of today.",
        )
        .success::<ExplanationView<'_>>(StatusCode::OK, "What each campaign says.", EXAMPLE)
}

const EXAMPLE: &str = include_str!("explain.json");
