//! `GET /v1/user`: the signed-in user.

use http::StatusCode;
use pointbook_http::describe::{Missing, Operation};
use pointbook_http::documentation::Tag;
use pointbook_http::kernel::Response;
use pointbook_http::views::success::Success;
use pointbook_http::{Answer, ApiError, ApiRequest};

use crate::members::read::member;
use crate::members::view::UserView;

/// Answers with one read.
pub(crate) async fn show(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let context = request.context::<()>();
    let user = member(request.tenant, context.customer()?, request.now).await?.ok_or(ApiError::NotFound)?;
    Ok(Answer::json(StatusCode::OK, &Success::of(UserView::from(&user))).into_response())
}

pub(super) fn documentation() -> Operation {
    Operation::ours("getCurrentUser", Tag::Account, "Get the signed-in user")
        .describe("Returns the signed-in customer. `user_points` is the balance, as in the point history. Where points end, `expiring` says what ends when.")
        .shows::<UserView<'_>>("The user.")
        .missing(Missing::Always)
}
