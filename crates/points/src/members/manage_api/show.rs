//! `GET /v1/manage/users/{userId}`: one user.

use http::StatusCode;
use pointbook_domain::UserId;
use pointbook_http::describe::Operation;
use pointbook_http::documentation::Tag;
use pointbook_http::kernel::Response;
use pointbook_http::views::success::Success;
use pointbook_http::{Answer, ApiError, ApiRequest, path_id};

use crate::members::read::member;
use crate::members::view::UserView;

/// Answers with one read.
pub(super) async fn show(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let id = path_id(request.params, "userId", UserId::new)?;
    let user = member(request.tenant, &id, request.now).await?.ok_or(ApiError::NotFound)?;
    Ok(Answer::json(StatusCode::OK, &Success::of(UserView::from(&user))).into_response())
}

pub(super) fn documentation() -> Operation {
    Operation::ours("getUser", Tag::Management, "Get a user")
        .describe("Returns a user and the balance.")
        .shows::<UserView<'_>>("The user.")
}
