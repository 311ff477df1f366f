//! How the parameters are read, and the messages of errors.

use pointbook_domain::errors::FieldErrors;
use pointbook_http::query::ReadQuery;
use pointbook_http::query_string::QueryString;

use super::*;

mod user_list {
    use super::*;

    fn read(raw: &str) -> Result<UserFilter, String> {
        let read = QueryString::parse(Some(raw)).unwrap().read(user_list);
        read.map(|query| query.filter).map_err(|errors| serde_json::to_string(&errors).unwrap())
    }

    #[test]
    fn a_flag_that_is_given_narrows_either_way() {
        let disabled = |raw| read(raw).unwrap().disabled;
        assert_eq!(disabled(""), None);
        assert_eq!(disabled("filter[disabled]="), None);
        assert_eq!(disabled("filter[disabled]=0"), Some(false));
        assert_eq!(disabled("filter[disabled]=TRUE"), Some(true));
    }

    #[test]
    fn every_bad_field_is_reported_at_once_and_in_order() {
        assert_eq!(read("filter[search]=+a,%25+").unwrap().search.as_deref(), Some("a,%"));
        assert_eq!(
            read("filter[x]=1&filter[disabled]=no&filter[search][]=a").unwrap_err(),
            r#"{"filter.search":["The filter.search must be a string."],"filter.disabled":["The filter.disabled field must be true or false."],"filter.x":["The selected filter.x is invalid."]}"#
        );
    }
}

mod point_history {
    use super::*;

    fn read(raw: &str) -> Result<u32, FieldErrors> {
        QueryString::parse(Some(raw)).unwrap().read(point_history).map(PageNumber::get)
    }

    #[test]
    fn only_the_page_number_is_read() {
        assert_eq!(read("page[size]=x&filter=y&sort=z"), Ok(1));
        assert_eq!(read("page[number]=7"), Ok(7));
        assert!(read("page[number]=x").is_err());
        assert!(read("page=2").is_err());
    }
}
