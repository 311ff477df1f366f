//! `PUT /v1/manage/categories`: replaces the whole tree.

use http::StatusCode;
use pointbook_http::body::{JsonBody, schema_of};
use pointbook_http::describe::{BodyDoc, Operation};
use pointbook_http::documentation::Tag;
use pointbook_http::kernel::Response;
use pointbook_http::views::success::{Success, success_named};
use pointbook_http::{Answer, ApiError, ApiRequest};
use pointbook_store::background::in_background_for;

use crate::categories::body::{new_category_schema, read_category_tree};
use crate::categories::edit::put_categories;
use crate::categories::managed_view::CategoryView;
use crate::commands::ReplaceCategories;

/// Replaces the tree, and returns the stored one.
pub(super) async fn put(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let (body, context) = (JsonBody::of(&request).await?, request.context());
    // A tree of 10,000 categories takes long to read and to write, and so do its mistakes.
    let prepare = move || {
        let tree = read_category_tree(body.fields())?;
        let answer = Answer::json(StatusCode::OK, &Success::of(CategoryView::tree(&tree)));
        Ok((ReplaceCategories::with(&tree), answer))
    };
    let (replace, answer) = in_background_for(context.worker(), prepare).await?.map_err(ApiError::Invalid)?;
    put_categories(&context, replace).await?;
    Ok(answer.into_response())
}

pub(super) fn documentation() -> Operation {
    Operation::ours("replaceCategoryTree", Tag::Management, "Replace the category tree")
        .describe(
            "Replaces the whole category tree. A category on the top level of the body may name a `parent_id` instead \
             of being nested. A cycle, a repeated id, an unknown parent and too many levels get a 422 that names the \
             category.",
        )
        .defining("CategoryTree", || schema_of(read_category_tree))
        .defining("NewCategory", new_category_schema)
        .reading(BodyDoc::Json("CategoryTree", TREE))
        .answering(StatusCode::OK, "The stored tree.", success_named::<Vec<CategoryView<'_>>>("CategoriesWritten"), EXAMPLE)
}

const TREE: &str = r#"{
    "categories": [
        {"id": "kitchen", "label": "Kitchen"},
        {"id": "mugs", "label": "Mugs", "parent_id": "kitchen"}
    ]
}"#;

const EXAMPLE: &str = r#"{
    "success": true,
    "data": [{"id": "kitchen", "label": "Kitchen", "children": [{"id": "mugs", "label": "Mugs", "children": []}]}]
}"#;
