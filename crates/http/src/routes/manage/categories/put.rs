//! `PUT /v1/manage/categories`: replaces the whole tree.

use http::StatusCode;
use pointbook_app::put_categories;

use super::entries::read_tree;
use crate::answer::Answer;
use crate::body::JsonBody;
use crate::response::Response;
use crate::wire::managed_categories::CategoryView;
use crate::wire::success::Success;
use crate::{ApiError, Asked};

/// Replaces it, and shows it as it is stored.
pub(super) async fn put(mut asked: Asked<'_>) -> Result<Response, ApiError> {
    let body = JsonBody::of(&mut asked).await?;
    let tree = read_tree(body.fields())?;
    put_categories(asked.tenant, &tree, asked.now).await?;
    Ok(Answer::json(StatusCode::OK, &Success::of(CategoryView::tree(&tree))).into_response())
}
