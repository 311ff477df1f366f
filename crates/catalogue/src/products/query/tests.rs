//! How the parameters are read, and the messages of errors.

mod product_list;

use pointbook_http::query::ReadQuery;
use pointbook_http::query_string::QueryString;

use super::*;

mod managed_product_list {
    use super::*;

    fn read(raw: &str) -> Result<Option<String>, String> {
        let read = QueryString::parse(Some(raw)).unwrap().read(managed_product_list);
        read.map(|query| query.filter.search).map_err(|errors| serde_json::to_string(&errors).unwrap())
    }

    #[test]
    fn a_search_is_one_text() {
        assert_eq!(read("q=x"), Ok(None));
        assert_eq!(read("filter[search]=+a,%25+").unwrap().as_deref(), Some("a,%"));
    }

    #[test]
    fn a_sort_is_one_of_those_that_the_document_names() {
        let sort =
            |raw| QueryString::parse(Some(raw)).unwrap().read(managed_product_list).unwrap().filter.sort;
        assert_eq!(sort("sort=-price"), Some(falling(SortedBy::Price)));
        assert_eq!(sort("q=x"), None);
        let refused = r#"{"sort":["The selected sort is invalid."]}"#;
        assert_eq!(read("sort=x").unwrap_err(), refused);
    }

    #[test]
    fn every_bad_field_is_reported_at_once_and_in_order() {
        assert_eq!(
            read("filter[title]=a&filter[search][]=b&page=1").unwrap_err(),
            r#"{"page":["The page must be an array."],"filter.search":["The filter.search must be a string."],"filter.title":["The selected filter.title is invalid."]}"#
        );
    }
}
