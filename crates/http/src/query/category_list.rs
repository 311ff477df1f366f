//! The parameters of `GET /v1/store/categories`.

use pointbook_describe::Parameter;

use super::QueryString;
use super::fields::{Fields, text_schema};
use crate::error::FieldErrors;

/// Reads `filter[category]`, one id: commas are part of it.
///
/// # Errors
/// [`FieldErrors`] when it is no text, and for every other member of `filter`.
pub fn category_list_query<'v>(query: &'v QueryString<'_>) -> Result<Option<&'v str>, FieldErrors> {
    let mut fields = Fields::default();
    let filter = fields.members(query.get("filter"), "filter");
    let category = fields.text(filter.get("category"), "filter.category");
    fields.only_filters(filter, &["category"]);
    fields.finish(category)
}

/// What the description says of it.
pub(crate) fn category_list_parameters() -> [Parameter; 1] {
    [Parameter::query(
        "filter[category]",
        text_schema(),
        "The id of one category: the answer is what it has within it. For an unknown one that is nothing.",
    )]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(raw: &str) -> Result<Option<String>, String> {
        let query = QueryString::parse(Some(raw)).unwrap();
        let read = category_list_query(&query).map(|id| id.map(str::to_owned));
        read.map_err(|errors| serde_json::to_string(&errors).unwrap())
    }

    #[test]
    fn the_category_is_one_id() {
        assert_eq!(read("page[number]=x&filter[category]=+a,b+"), Ok(Some("a,b".to_owned())));
        assert_eq!(read("filter[category]="), Ok(None));
    }

    #[test]
    fn anything_else_in_the_filter_is_refused() {
        assert_eq!(
            read("filter[title]=a&filter[category][]=a"),
            Err(r#"{"filter.category":["The filter.category must be a string."],"filter.title":["The selected filter.title is invalid."]}"#.to_owned())
        );
        assert_eq!(read("filter=a"), Err(r#"{"filter":["The filter must be an array."]}"#.to_owned()));
    }
}
