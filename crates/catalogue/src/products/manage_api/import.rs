//! `POST /v1/manage/products/import`: creates and replaces many products in one commit.

use std::collections::HashSet;
use std::sync::Arc;

use http::StatusCode;
use pointbook_http::answer::finish;
use pointbook_http::body::{NdjsonBody, schema_of};
use pointbook_http::describe::{BodyDoc, Operation, Schema};
use pointbook_http::documentation::Tag;
use pointbook_http::import_lines::taken;
use pointbook_http::kernel::Response;
use pointbook_http::permits::holding;
use pointbook_http::query::{ReadQuery, describe, import_lines};
use pointbook_http::views::import::{RejectedLine, rejected_lines_schema};
use pointbook_http::views::success::{Success, success_named};
use pointbook_http::{Answer, ApiError, ApiRequest, view};
use pointbook_store::ports::{Execution, UpsertOutcome};

use crate::products::cleaning::permit_to_clean;
use crate::products::draft::ProductDraft;
use crate::products::import::{put_products, try_products};
use crate::products::managed::read_product_line;
use crate::products::unknown_categories::unknown_categories;

/// How many unknown categories the response names. It counts all of their products.
const MAX_TOLD_CATEGORIES: usize = 100;

/// Stores all lines or none, or the good ones.
pub(super) async fn import(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let permit = Arc::new(request.state.import_permit(&request).await?);
    let body = NdjsonBody::of(&request).await?;
    let (mode, is_dry) = request.query_string.read(import_lines)?;
    let lines = body.read(read_product_line).await;
    let (drafts, rejected) = taken(mode, lines, "id", |draft| draft.id.clone())?;
    let categories = drafts.iter().flat_map(ProductDraft::categories);
    let unknown = unknown_categories(&*request.tenant.data, categories).await?;
    let known_to_lack: HashSet<_> = unknown.iter().copied().collect();
    let is_warned = |draft: &&ProductDraft| draft.categories().iter().any(|id| known_to_lack.contains(id));
    let oddities = Arc::new(Oddities {
        rejected: rejected.count(),
        told: rejected.told(),
        warned: drafts.iter().filter(is_warned).count(),
        unknown_categories: unknown.iter().take(MAX_TOLD_CATEGORIES).map(ToString::to_string).collect(),
    });
    let render = move |outcomes: &Vec<UpsertOutcome>| oddities.answer(outcomes);
    if is_dry {
        let (cleaning, context) = (permit_to_clean(request.tenant).await?, request.context::<()>());
        let outcomes = holding(permit, async move { try_products(&context, drafts, cleaning).await }).await?;
        return finish(Execution::Executed(outcomes), render);
    }
    let context = request.once(body.key, render.clone());
    finish(put_products(&context, drafts, permit).await?, render)
}

/// The refused lines, and the warnings about stored lines.
struct Oddities {
    rejected: usize,
    told: Vec<RejectedLine>,
    /// The number of products that name a category which is not in the tree.
    warned: usize,
    /// The first of these categories.
    unknown_categories: Vec<String>,
}

view! {
    struct SummaryView<'r> {
        created: usize,
        replaced: usize,
        unchanged: usize,
        /// Lines that the server refused.
        rejected: usize,
        errors: &'r [RejectedLine] => rejected_lines_schema(),
        /// Stored products that name a category which is not in the tree.
        in_unknown_categories: usize,
        /// The first of these categories.
        unknown_categories: &'r [String] => Schema::list(Schema::id()).at_most(MAX_TOLD_CATEGORIES),
    }
}

impl Oddities {
    fn answer(&self, outcomes: &[UpsertOutcome]) -> Answer {
        let count = |kind| outcomes.iter().filter(|outcome| **outcome == kind).count();
        let view = SummaryView {
            created: count(UpsertOutcome::Created),
            replaced: count(UpsertOutcome::Replaced),
            unchanged: count(UpsertOutcome::Unchanged),
            rejected: self.rejected,
            errors: &self.told,
            in_unknown_categories: self.warned,
            unknown_categories: &self.unknown_categories,
        };
        Answer::json(StatusCode::OK, &Success::of(view))
    }
}

pub(super) fn documentation() -> Operation {
    Operation::ours("importProducts", Tag::Management, "Create and replace many products")
        .describe(
            "Takes one product per line, with `id` (default: its `sku`), and stores all good lines in one commit. If \
             two lines have the same id, the later one wins. A request has at most 10,000 lines and 16 MiB; the \
             operator may set another size.",
        )
        .taking(describe(import_lines))
        .defining("ProductLine", || schema_of(read_product_line))
        .reading(BodyDoc::Lines("ProductLine", LINES))
        .answering(StatusCode::OK, "The result of the lines.", success_named::<SummaryView<'_>>("ProductImport"), EXAMPLE)
}

const LINES: &str = concat!(
    r#"{"sku": "ACM-HK-1001", "id": "cafe-mug", "title": "Café mug", "regular_price": 650, "sale_price": 490}"#,
    "\n",
    r#"{"sku": "ACM-HK-1003", "id": "enamel-mug", "title": "Enamel mug", "regular_price": 420, "stock": 30}"#,
    "\n",
);

const EXAMPLE: &str = r#"{
    "success": true,
    "data": {"created": 1, "replaced": 1, "unchanged": 0, "rejected": 0, "errors": [],
        "in_unknown_categories": 0, "unknown_categories": []}
}"#;
