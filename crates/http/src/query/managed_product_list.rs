//! The parameters of `GET /v1/manage/products`.

use pointbook_app::PageQuery;
use pointbook_describe::Parameter;

use super::QueryString;
use super::fields::{Fields, text_schema};
use super::page::page_query;
use crate::error::FieldErrors;
use crate::openapi::page_parameters;

/// Which of all products are asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ManagedProductListQuery {
    pub page: PageQuery,
    /// A part of the id, the sku or the title.
    pub search: Option<String>,
}

/// Reads page and search.
///
/// # Errors
/// [`FieldErrors`] with every field that is refused, in the documented order.
pub fn managed_product_list_query(query: &QueryString<'_>) -> Result<ManagedProductListQuery, FieldErrors> {
    let mut fields = Fields::default();
    let page = page_query(&mut fields, query);
    let filter = fields.members(query.get("filter"), "filter");
    let search = fields.text(filter.get("search"), "filter.search").map(str::to_owned);
    fields.only_filters(filter, &["search"]);
    fields.finish(ManagedProductListQuery { page, search })
}

/// What the description says of them.
pub(crate) fn managed_product_list_parameters() -> Vec<Parameter> {
    let search = "A part of the id, the sku or the title, whatever the case of ASCII letters.";
    let mut parameters = page_parameters();
    parameters.push(Parameter::query("filter[search]", text_schema(), search));
    parameters
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(raw: &str) -> Result<Option<String>, String> {
        let read = managed_product_list_query(&QueryString::parse(Some(raw)).unwrap());
        read.map(|query| query.search).map_err(|errors| serde_json::to_string(&errors).unwrap())
    }

    #[test]
    fn a_search_is_one_text() {
        assert_eq!(read("sort=x"), Ok(None));
        assert_eq!(read("filter[search]=+a,%25+").unwrap().as_deref(), Some("a,%"));
    }

    #[test]
    fn every_bad_field_is_reported_at_once_and_in_order() {
        assert_eq!(
            read("filter[title]=a&filter[search][]=b&page=1").unwrap_err(),
            r#"{"page":["The page must be an array."],"filter.search":["The filter.search must be a string."],"filter.title":["The selected filter.title is invalid."]}"#
        );
    }
}
