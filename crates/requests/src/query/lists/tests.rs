//! How operations read query strings, and the messages of errors.

mod product_list;

use pointbook_domain::errors::FieldErrors;
use pointbook_http::query_string::QueryString;

use super::*;
use crate::query::ReadQuery;

mod order_list {
    use pointbook_domain::{PageNumber, PageSize};

    use super::*;

    fn read(raw: &str) -> Result<OrderListQuery, String> {
        let read = QueryString::parse(Some(raw)).unwrap().read(order_list);
        read.map_err(|errors| serde_json::to_string(&errors).unwrap())
    }

    fn read_own(raw: &str) -> Result<PageQuery, String> {
        let read = QueryString::parse(Some(raw)).unwrap().read(unfiltered_list);
        read.map_err(|errors| serde_json::to_string(&errors).unwrap())
    }

    #[test]
    fn the_back_office_narrows_by_status_and_user() {
        let page = PageQuery { number: PageNumber::new(2).unwrap(), size: PageSize::new(7) };
        let filter = OrderFilter { user_id: UserId::new("a,b").ok(), status: Some(OrderStatus::Cancelled) };
        let raw = "page[number]=2&page[size]=7&filter[user]=+a,b&filter[status]=cancelled";
        assert_eq!(read(raw), Ok(OrderListQuery { page, filter }));
        assert_eq!(read("filter[user]=&filter[status]=").unwrap().filter, OrderFilter::default());
    }

    #[test]
    fn every_bad_field_is_reported_at_once_and_in_order() {
        let errors = read("filter[foo]=1&filter[user]=a%00b&filter[status]=Placed&page[size]=0").unwrap_err();
        insta::assert_snapshot!(errors.replace("],", "],\n"), @r#"
        {"page.size":["The page.size must be at least 1."],
        "filter.status":["The selected filter.status is invalid."],
        "filter.user":["The selected filter.user is invalid."],
        "filter.foo":["The selected filter.foo is invalid."]}
        "#);
        assert_eq!(
            read("filter[user][]=a&filter[status][]=placed").unwrap_err(),
            r#"{"filter.status":["The selected filter.status is invalid."],"filter.user":["The filter.user must be a string."]}"#
        );
    }

    #[test]
    fn own_orders_have_pages_and_no_filter() {
        let page = PageQuery { number: PageNumber::new(2).unwrap(), size: None };
        assert_eq!(read_own("page[number]=2&filter=&sort=x"), Ok(page));
        assert_eq!(
            read_own("filter[user]=u2&page[number]=x").unwrap_err(),
            r#"{"page.number":["The page.number must be an integer."],"filter.user":["The selected filter.user is invalid."]}"#
        );
    }
}

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

mod managed_product_list {
    use super::*;

    fn read(raw: &str) -> Result<Option<String>, String> {
        let read = QueryString::parse(Some(raw)).unwrap().read(managed_product_list);
        read.map(|query| query.filter.search).map_err(|errors| serde_json::to_string(&errors).unwrap())
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

mod import_mode {
    use super::*;

    #[test]
    fn a_mode_is_one_of_two() {
        let read = |raw| {
            let read = QueryString::parse(Some(raw)).unwrap().read(import_mode);
            read.map_err(|errors| serde_json::to_string(&errors).unwrap())
        };
        for raw in ["", "mode=", "mode=lines", "lines=1&mode[x]="] {
            assert_eq!(read(raw), Ok(ImportMode::Lines), "{raw}");
        }
        assert_eq!(read("mode=+atomic"), Ok(ImportMode::Atomic));
        for raw in ["mode=Atomic", "mode=both", "mode=lines,atomic"] {
            assert_eq!(read(raw), Err(r#"{"mode":["The selected mode is invalid."]}"#.to_owned()), "{raw}");
        }
        assert_eq!(read("mode[]=atomic"), Err(r#"{"mode":["The mode must be a string."]}"#.to_owned()));
    }
}

mod page {
    use pointbook_domain::PageSize;

    use super::*;

    fn read(raw: &str) -> Result<PageQuery, FieldErrors> {
        crate::query::parse(Some(raw))?.read(Fields::page)
    }

    fn refused(raw: &str) -> String {
        serde_json::to_string(&read(raw).unwrap_err()).unwrap()
    }

    #[test]
    fn a_page_number_is_a_positive_integer() {
        for (given, message) in [
            ("0", "The page.number must be at least 1."),
            ("-1", "The page.number must be at least 1."),
            ("1.0", "The page.number must be an integer."),
            ("99999999999999999999", "The page.number must not be greater than 2147483647."),
        ] {
            let raw = format!("page[number]={given}");
            assert_eq!(refused(&raw), format!(r#"{{"page.number":["{message}"]}}"#));
        }
        assert_eq!(read("page[number]=2147483647").unwrap().number.get(), 2_147_483_647);
    }

    #[test]
    fn a_page_size_may_be_any_number_from_1() {
        assert_eq!(read("page[size]=99999999999999999999").unwrap().size, PageSize::new(u32::MAX));
        assert_eq!(refused("page[size]=0"), r#"{"page.size":["The page.size must be at least 1."]}"#);
        assert_eq!(refused("page[size][]=7"), r#"{"page.size":["The page.size must be an integer."]}"#);
    }

    #[test]
    fn a_page_has_members_of_which_others_are_ignored() {
        assert_eq!(refused("page=2"), r#"{"page":["The page must be an array."]}"#);
        let first = PageQuery { number: PageNumber::FIRST, size: None };
        assert_eq!(read("page=&page[foo]=x&page[]=1").unwrap(), first);
    }
}
