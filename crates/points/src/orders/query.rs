//! The parameters of lists of orders.

use pointbook_domain::id::MAX_ID_CHARS;
use pointbook_domain::{OrderStatus, PageQuery, UserId};
use pointbook_http::describe::Schema;
use pointbook_http::query::Fields;
use pointbook_store::ports::OrderFilter;

/// The orders that the back office asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderListQuery {
    pub page: PageQuery,
    pub filter: OrderFilter,
}

/// `GET /v1/manage/orders`.
pub fn order_list(fields: &mut Fields<'_>) -> OrderListQuery {
    let page = fields.page();
    let statuses = OrderStatus::ALL.map(|status| (status.as_str(), status));
    let user = "The id of the user who placed the orders.";
    let search = "A part of the number, of the id of the user, or of the product's title or SKU. The case of letters does not matter.";
    let filter = fields.filter(|filter| OrderFilter {
        status: filter.choice("status", "Only orders in this state.", statuses),
        user_id: filter.text_as("user", user, || Schema::text_to(MAX_ID_CHARS), |id| UserId::new(id).ok()),
        search: filter.text("search", search).map(str::to_owned),
    });
    OrderListQuery { page, filter }
}

#[cfg(test)]
mod tests;
