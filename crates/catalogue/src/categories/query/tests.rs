//! How the parameters are read, and the messages of errors.

use pointbook_http::query::ReadQuery;
use pointbook_http::query_string::QueryString;

use super::*;

mod category_list {
    use super::*;

    fn read(raw: &str) -> Result<Option<String>, String> {
        let query = QueryString::parse(Some(raw)).unwrap();
        let read = query.read(category_list).map(|id| id.map(str::to_owned));
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
