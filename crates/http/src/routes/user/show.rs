//! `GET /v1/user`: the signed-in user.

use axum::response::{IntoResponse, Response};
use http::{StatusCode, Uri};

use crate::answer::Answer;
use crate::auth::Customer;
use crate::query::QueryString;
use crate::wire::success::Success;
use crate::wire::user::UserView;
use crate::{ApiError, RequestContext};

/// Answers with one read.
pub(in crate::routes) async fn show(
    context: RequestContext,
    customer: Customer,
    uri: Uri,
) -> Result<Response, ApiError> {
    // No parameter is known here, but what no query may be is refused as everywhere.
    QueryString::parse(uri.query())?;
    let user = context.tenant.data.user(&customer.user_id).await?.ok_or(ApiError::NotFound)?;
    Ok(Answer::json(StatusCode::OK, &Success::of(UserView::from(&user))).into_response())
}
