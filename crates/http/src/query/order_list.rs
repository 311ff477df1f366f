//! The parameters of `GET /v1/store/orders` and `GET /v1/manage/orders`.

use pointbook_app::PageQuery;
use pointbook_app::ports::OrderFilter;
use pointbook_describe::{Parameter, Schema};
use pointbook_domain::id::MAX_ID_CHARS;
use pointbook_domain::{OrderStatus, UserId};

use super::QueryString;
use super::fields::Fields;
use super::members::{Members, Value};
use super::page::page_query;
use crate::error::FieldErrors;
use crate::openapi::page_parameters;

/// Which of all orders the back office asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderListQuery {
    pub page: PageQuery,
    /// What to leave out.
    pub filter: OrderFilter,
}

/// Reads the page of a list that has no filter.
///
/// # Errors
/// [`FieldErrors`] with every field that is refused, and for every member of `filter`.
pub fn unfiltered_list_query(query: &QueryString<'_>) -> Result<PageQuery, FieldErrors> {
    let mut fields = Fields::default();
    let page = page_query(&mut fields, query);
    let filter = fields.members(query.get("filter"), "filter");
    fields.only_filters(filter, &[]);
    fields.finish(page)
}

/// Reads page and filters of the back office.
///
/// # Errors
/// [`FieldErrors`] with every field that is refused, in the documented order.
pub fn order_list_query(query: &QueryString<'_>) -> Result<OrderListQuery, FieldErrors> {
    let mut fields = Fields::default();
    let page = page_query(&mut fields, query);
    let filter = fields.members(query.get("filter"), "filter");
    let filter = order_filter(&mut fields, filter);
    fields.finish(OrderListQuery { page, filter })
}

fn order_filter(fields: &mut Fields, filter: Members<'_>) -> OrderFilter {
    let status = order_status(fields, filter.get("status"));
    let user_id = user_id(fields, filter.get("user"));
    fields.only_filters(filter, &["status", "user"]);
    OrderFilter { user_id, status }
}

fn order_status(fields: &mut Fields, value: Option<Value<'_>>) -> Option<OrderStatus> {
    let status = value?.text().and_then(|text| OrderStatus::parse(text).ok());
    if status.is_none() {
        fields.refuse_choice("filter.status");
    }
    status
}

/// One id: commas are part of it.
fn user_id(fields: &mut Fields, value: Option<Value<'_>>) -> Option<UserId> {
    let id = UserId::new(fields.text(value, "filter.user")?).ok();
    if id.is_none() {
        fields.refuse_choice("filter.user");
    }
    id
}

/// What the description says of those of the back office.
pub(crate) fn order_list_parameters() -> Vec<Parameter> {
    let status = Schema::one_of(OrderStatus::ALL.map(OrderStatus::as_str));
    let mut parameters = page_parameters();
    parameters.extend([
        Parameter::query("filter[status]", status, "Only orders that stand there."),
        Parameter::query(
            "filter[user]",
            Schema::text_to(MAX_ID_CHARS),
            "The id of the user whose orders are wanted.",
        ),
    ]);
    parameters
}

#[cfg(test)]
mod tests {
    use pointbook_domain::{PageNumber, PageSize};

    use super::*;

    fn read(raw: &str) -> Result<OrderListQuery, String> {
        let read = order_list_query(&QueryString::parse(Some(raw)).unwrap());
        read.map_err(|errors| serde_json::to_string(&errors).unwrap())
    }

    fn read_own(raw: &str) -> Result<PageQuery, String> {
        let read = unfiltered_list_query(&QueryString::parse(Some(raw)).unwrap());
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
