//! `GET /v1/store/categories`: the category tree, or what is below one category.

use axum::response::Response;
use http::{StatusCode, Uri};

use crate::query::{QueryString, category_list_query};
use crate::response::json;
use crate::wire::categories::categories_body;
use crate::{ApiError, RequestContext};

/// Answers from the snapshot alone.
pub(in crate::routes) async fn list(context: RequestContext, uri: Uri) -> Result<Response, ApiError> {
    let query_string = QueryString::parse(uri.query()).map_err(ApiError::Invalid)?;
    let category = category_list_query(&query_string).map_err(ApiError::Invalid)?;
    let snapshot = context.tenant.snapshot(context.now).await?;
    let rendered = match category {
        Some(id) => snapshot.children(id),
        None => Some(snapshot.categories()),
    };
    Ok(json(StatusCode::OK, categories_body(rendered.as_ref().map(|rendered| &*rendered.json))))
}
