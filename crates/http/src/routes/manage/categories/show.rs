//! `GET /v1/manage/categories`: the whole tree.

use axum::response::{IntoResponse, Response};
use http::{StatusCode, Uri};

use crate::answer::Answer;
use crate::query::QueryString;
use crate::wire::managed_categories::CategoriesView;
use crate::{ApiError, RequestContext};

/// Answers with one read of the database.
pub(super) async fn show(context: RequestContext, uri: Uri) -> Result<Response, ApiError> {
    QueryString::parse(uri.query())?;
    let tree = context.tenant.data.categories().await?;
    Ok(Answer::json(StatusCode::OK, &CategoriesView::from(&tree)).into_response())
}
