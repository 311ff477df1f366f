//! `POST /v1/manage/products/import`: creates and replaces many products in one commit.

use std::collections::HashSet;
use std::sync::Arc;

use http::StatusCode;
use pointbook_app::ports::UpsertOutcome;
use pointbook_app::{ProductDraft, put_products};
use serde::Serialize;

use crate::answer::{Answer, finish, once};
use crate::body::{NdjsonBody, NdjsonLine, product_line_schema, read_product_line};
use crate::error::FieldErrors;
use crate::openapi::{BodyDoc, Operation, Schema, Tag, required};
use crate::query::{ImportMode, QueryString, import_mode_parameters, import_mode_query};
use crate::response::Response;
use crate::wire::import::{RejectedLine, RejectedLines, rejected_lines_schema};
use crate::wire::success::Success;
use crate::{ApiError, Asked};

/// Puts all lines or none, or the good ones.
pub(super) async fn import(mut asked: Asked<'_>) -> Result<Response, ApiError> {
    let body = NdjsonBody::of(&mut asked).await?;
    let mode = import_mode_query(&QueryString::parse(asked.query)?)?;
    let lines = body.read(read_product_line).await;
    let (drafts, rejected) = match mode {
        ImportMode::Atomic => (all(lines)?, RejectedLines::default()),
        ImportMode::Lines => good_and_bad(lines),
    };
    let rejected = Arc::new(Rejected { count: rejected.count(), told: rejected.told() });
    let render = move |outcomes: &Vec<UpsertOutcome>| rejected.answer(outcomes);
    let once = once(body.key, asked.now, render.clone());
    finish(put_products(asked.tenant, drafts, asked.now, once).await?, render)
}

/// Every line, unless one is bad. What is one change says one thing of a product.
fn all(lines: Vec<NdjsonLine<ProductDraft>>) -> Result<Vec<ProductDraft>, FieldErrors> {
    let (mut drafts, mut errors) = (Vec::with_capacity(lines.len()), FieldErrors::default());
    let mut ids = HashSet::new();
    for NdjsonLine { number, item } in lines {
        let item = item.and_then(|draft| {
            let is_first = ids.insert(draft.id.clone());
            is_first.then_some(draft).ok_or_else(|| FieldErrors::one("id", "field has a duplicate value"))
        });
        match item {
            Ok(draft) => drafts.push(draft),
            Err(wrong) => errors.extend_within(&format!("lines.{number}."), wrong),
        }
    }
    if errors.is_empty() { Ok(drafts) } else { Err(errors) }
}

fn good_and_bad(lines: Vec<NdjsonLine<ProductDraft>>) -> (Vec<ProductDraft>, RejectedLines) {
    let (mut good, mut bad) = (Vec::with_capacity(lines.len()), RejectedLines::default());
    for NdjsonLine { number, item } in lines {
        match item {
            Ok(draft) => good.push(draft),
            Err(errors) => bad.add(number, errors),
        }
    }
    (good, bad)
}

/// The lines that were not put.
struct Rejected {
    count: usize,
    told: Vec<RejectedLine>,
}

#[derive(Serialize)]
struct SummaryView<'r> {
    created: usize,
    replaced: usize,
    unchanged: usize,
    rejected: usize,
    errors: &'r [RejectedLine],
}

impl Rejected {
    fn answer(&self, outcomes: &[UpsertOutcome]) -> Answer {
        let count = |kind| outcomes.iter().filter(|outcome| **outcome == kind).count();
        let view = SummaryView {
            created: count(UpsertOutcome::Created),
            replaced: count(UpsertOutcome::Replaced),
            unchanged: count(UpsertOutcome::Unchanged),
            rejected: self.count,
            errors: &self.told,
        };
        Answer::json(StatusCode::OK, &Success::of(view))
    }
}

/// What the description says of it.
pub(super) fn documentation() -> Operation {
    Operation::ours("importProducts", Tag::Management, "Create and replace many products")
        .describe(
            "A product per line, with `id` (its `sku` unless given), in one commit. Of two lines with one id the later \
             wins. At most 10,000 lines, and 16 MiB unless the operator sets another limit.",
        )
        .taking(import_mode_parameters())
        .defining("ProductLine", product_line_schema)
        .defining("ProductImport", summary_schema)
        .reading(BodyDoc::Lines("ProductLine", LINES))
        .answering(StatusCode::OK, "What became of the lines.", "ProductImport", EXAMPLE)
}

fn summary_schema() -> Schema {
    let data = Schema::object([
        required("created", Schema::count()),
        required("replaced", Schema::count()),
        required("unchanged", Schema::count()),
        required("rejected", Schema::count().describe("Lines that were not taken.")),
        required("errors", rejected_lines_schema()),
    ]);
    Schema::object([required("success", Schema::always(true)), required("data", data)])
}

const LINES: &str = concat!(
    r#"{"sku": "ACM-HK-1001", "id": "cafe-mug", "title": "Café mug", "regular_price": 650, "sale_price": 490}"#,
    "\n",
    r#"{"sku": "ACM-HK-1003", "id": "enamel-mug", "title": "Enamel mug", "regular_price": 420, "stock": 30}"#,
    "\n",
);

const EXAMPLE: &str = r#"{
    "success": true,
    "data": {"created": 1, "replaced": 1, "unchanged": 0, "rejected": 0, "errors": []}
}"#;
