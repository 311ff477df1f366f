//! `GET /v1/manage/categories`: the whole tree.

use http::StatusCode;
use pointbook_http::describe::Operation;
use pointbook_http::documentation::Tag;
use pointbook_http::kernel::Response;
use pointbook_http::{Answer, ApiError, ApiRequest};

use crate::categories::managed_view::CategoriesView;

/// Needs one database read.
pub(super) async fn show(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let tree = request.tenant.data.categories().await?;
    Ok(Answer::json(StatusCode::OK, &CategoriesView::from(&tree)).into_response())
}

pub(super) fn documentation() -> Operation {
    Operation::ours("getCategoryTree", Tag::Management, "Get the category tree")
        .describe("Returns the stored category tree.")
        .body::<CategoriesView<'_>>(StatusCode::OK, "The categories of the top level.", EXAMPLE)
}

const EXAMPLE: &str = r#"{
    "data": [{"id": "kitchen", "label": "Kitchen", "children": [{"id": "mugs", "label": "Mugs", "children": []}]}]
}"#;
