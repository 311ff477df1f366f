//! `GET /v1/manage/categories`: the whole tree.

use axum::response::{IntoResponse, Response};
use http::StatusCode;

use crate::answer::Answer;
use crate::wire::managed_categories::CategoriesView;
use crate::{ApiError, RequestContext};

/// Answers with one read of the database.
pub(super) async fn show(context: RequestContext) -> Result<Response, ApiError> {
    let tree = context.tenant.data.categories().await?;
    Ok(Answer::json(StatusCode::OK, &CategoriesView::from(&tree)).into_response())
}
