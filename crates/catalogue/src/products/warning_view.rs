//! Warnings about stored objects.

use pointbook_domain::CategoryId;
use pointbook_http::describe::{Schema, required};
use pointbook_store::ports::StoredProduct;
use serde::Serialize;

use super::managed_view::ManagedProductView;

/// The code of an unknown category.
const UNKNOWN_CATEGORY: &str = "unknown_category";

/// A warning about one field.
#[derive(Debug, Serialize)]
pub struct WarningView {
    field: String,
    code: &'static str,
    message: String,
}

/// A stored product with its warnings.
#[derive(Debug, Serialize)]
pub struct WrittenProductView<'p> {
    success: bool,
    data: ManagedProductView<'p>,
    warnings: Vec<WarningView>,
}

impl<'p> WrittenProductView<'p> {
    /// A product with categories that are not in the tree.
    pub fn new(stored: &'p StoredProduct, unknown: &[&CategoryId]) -> Self {
        let categories = stored.product.categories.iter().enumerate();
        let warnings = categories
            .filter(|(_, id)| unknown.contains(id))
            .map(|(place, id)| WarningView {
                field: format!("categories.{place}"),
                code: UNKNOWN_CATEGORY,
                message: format!("There is no category with the id {:?}.", id.as_str()),
            })
            .collect();
        Self { success: true, data: stored.into(), warnings }
    }
}

pub fn warning_schema() -> Schema {
    let code = Schema::text().describe("`unknown_category`. Later versions may add codes.");
    Schema::object([
        required("field", Schema::text().describe("The field, such as `categories.0`.")),
        required("code", code),
        required("message", Schema::text().describe("A message for people.")),
    ])
}

/// The schema of a stored product.
pub fn written_product_schema() -> Schema {
    let warnings = Schema::list(Schema::named("Warning"));
    Schema::object([
        required("success", Schema::always(true)),
        required("data", Schema::named("ManagedProduct")),
        required("warnings", warnings.describe("Warnings about the stored product.")),
    ])
}
