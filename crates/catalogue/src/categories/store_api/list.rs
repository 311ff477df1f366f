//! `GET /v1/store/categories`: the category tree, or what is below one category.

use http::StatusCode;
use pointbook_http::describe::Operation;
use pointbook_http::documentation::{STALE, Tag};
use pointbook_http::kernel::Response;
use pointbook_http::query::{ReadQuery, describe};
use pointbook_http::{ApiError, ApiRequest};

use crate::cache::snapshot;
use crate::categories::managed_view::CategoriesView;
use crate::categories::query::category_list;
use crate::categories::view::{categories_body, categories_tag};

/// Reads only the snapshot.
pub(crate) async fn list(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let query_string = request.query_string;
    let category = query_string.read(category_list).map_err(ApiError::Invalid)?;
    let snapshot = snapshot(request.tenant, request.now).await?;
    let rendered = match category {
        Some(id) => snapshot.children(id),
        None => Some(snapshot.categories()),
    };
    let tag = categories_tag(snapshot.content_key(), rendered.as_ref());
    Ok(request.tagged(tag, || categories_body(rendered.as_ref())))
}

pub(super) fn documentation() -> Operation {
    Operation::documented("listCategories", Tag::Store, "List categories")
        .describe("Returns the category tree, in the order that the tenant chose.")
        .taking(describe(category_list))
        .body::<CategoriesView<'_>>(StatusCode::OK, "The categories of the top level.", EXAMPLE)
        .with_headers(STALE)
}

const EXAMPLE: &str = include_str!("list.json");
