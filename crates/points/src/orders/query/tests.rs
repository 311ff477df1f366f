//! How the parameters are read, and the messages of errors.

use pointbook_http::query::{ReadQuery, unfiltered_list};
use pointbook_http::query_string::QueryString;

use super::*;

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
        let filter = OrderFilter {
            user_id: UserId::new("a,b").ok(),
            status: Some(OrderStatus::Cancelled),
            search: None,
        };
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
