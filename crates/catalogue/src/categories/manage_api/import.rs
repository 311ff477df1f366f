//! `POST /v1/manage/categories/import`: replaces the whole tree and says what changed, or only tries it.

use http::StatusCode;
use pointbook_http::answer::finish;
use pointbook_http::body::JsonBody;
use pointbook_http::describe::{BodyDoc, Operation};
use pointbook_http::documentation::Tag;
use pointbook_http::error::{FieldCode, FieldErrors, Rule};
use pointbook_http::kernel::Response;
use pointbook_http::query::{ReadQuery, describe};
use pointbook_http::views::success::{Success, success_named};
use pointbook_http::{Answer, ApiError, ApiRequest, view};
use pointbook_store::background::in_background_for;
use pointbook_store::ports::Execution;

use crate::categories::body::read_category_tree;
use crate::categories::edit::{TreeChange, import_categories, try_categories};
use crate::categories::query::dry_run_of_tree;

/// Refuses an empty tree, which is more likely a failed export than a wish to remove all categories.
const EMPTY: &str = "must not be empty. To remove every category, use PUT /v1/manage/categories";

pub(super) async fn import(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let body = JsonBody::of(&request).await?;
    let is_dry = request.query_string.read(dry_run_of_tree)?;
    let key = body.key.clone();
    let context = request.once(key, render);
    // A tree of many mistakes takes long.
    let tree = in_background_for(context.worker(), move || read_category_tree(body.fields())).await??;
    if tree.roots().is_empty() {
        return Err(FieldErrors::one("categories", Rule::new(FieldCode::Required, EMPTY)).into());
    }
    if is_dry {
        let change = try_categories(&context, tree).await?;
        return finish(Execution::Executed(change), render);
    }
    finish(import_categories(&context, tree).await?, render)
}

view! {
    struct ChangeView {
        created: u64,
        /// Categories with another label, another parent or another place below it.
        replaced: u64,
        unchanged: u64,
        /// Categories that the new tree does not have.
        removed: u64,
    }
}

fn render(change: &TreeChange) -> Answer {
    let TreeChange { created, replaced, unchanged, removed } = *change;
    Answer::json(StatusCode::OK, &Success::of(ChangeView { created, replaced, unchanged, removed }))
}

pub(super) fn documentation() -> Operation {
    Operation::ours("importCategoryTree", Tag::Management, "Import the category tree")
        .describe(
            "Replaces the whole category tree as `PUT /v1/manage/categories` does, and says how many categories that changes. With \
             `dry_run=true` it stores nothing. The server refuses an empty tree.",
        )
        .taking(describe(dry_run_of_tree))
        .reading(BodyDoc::Json("CategoryTree", TREE))
        .answering(StatusCode::OK, "What changed.", success_named::<ChangeView>("CategoryImport"), EXAMPLE)
}

const TREE: &str = r#"{
    "categories": [
        {"id": "kitchen", "label": "Kitchen", "children": [{"id": "mugs", "label": "Mugs"}]},
        {"id": "garden", "label": "Garden"}
    ]
}"#;

const EXAMPLE: &str =
    r#"{"success": true, "data": {"created": 1, "replaced": 0, "unchanged": 2, "removed": 0}}"#;
