//! The parameters of categories.

use pointbook_http::query::Fields;

/// `GET /v1/store/categories`: one id, which may contain commas.
pub(crate) fn category_list<'q>(fields: &mut Fields<'q>) -> Option<&'q str> {
    const CATEGORY: &str =
        "The id of a category: the response has the categories below it. It is empty for an unknown id.";
    fields.filter(|filter| filter.text("category", CATEGORY))
}

/// `POST /v1/manage/categories/import`: whether the server only tries the tree.
pub(crate) fn dry_run_of_tree(fields: &mut Fields<'_>) -> bool {
    const DRY_RUN: &str = "Whether the server only tries the tree: it checks it and says what would change, and stores nothing. \
                           It ignores an `Idempotency-Key` then. Default: false.";
    fields.flag("dry_run", DRY_RUN).unwrap_or(false)
}

#[cfg(test)]
mod tests;
