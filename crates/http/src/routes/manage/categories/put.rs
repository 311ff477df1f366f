//! `PUT /v1/manage/categories`: replaces the whole tree.

use axum::response::{IntoResponse, Response};
use http::StatusCode;
use pointbook_app::put_categories;

use super::entries::read_tree;
use crate::answer::Answer;
use crate::body::JsonBody;
use crate::wire::managed_categories::CategoryView;
use crate::wire::success::Success;
use crate::{ApiError, RequestContext};

/// Replaces it, and shows it as it is stored.
pub(super) async fn put(context: RequestContext, body: JsonBody) -> Result<Response, ApiError> {
    let tree = read_tree(body.fields())?;
    put_categories(&context.tenant, &tree, context.now).await?;
    Ok(Answer::json(StatusCode::OK, &Success::of(CategoryView::tree(&tree))).into_response())
}
