//! Warnings about stored objects.

use pointbook_domain::CategoryId;
use pointbook_http::describe::Schema;
use pointbook_http::view;
use pointbook_store::ports::StoredProduct;

use super::managed::ManagedProductView;

/// The code of an unknown category.
const UNKNOWN_CATEGORY: &str = "unknown_category";

view! {
    /// A warning about one field.
    #[derive(Debug)]
    pub struct WarningView as "Warning" {
        /// The field, such as `categories.0`.
        field: String,
        /// `unknown_category`. Later versions may add codes.
        code: &'static str,
        /// A message for people.
        message: String,
    }

    /// A stored product with its warnings.
    #[derive(Debug)]
    pub struct WrittenProductView<'p> as "ManagedProductWritten" {
        success: bool => Schema::always(true),
        data: ManagedProductView<'p>,
        /// Warnings about the stored product.
        warnings: Vec<WarningView>,
    }
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
