//! `GET /v1/store/orders`: a page of the user's own orders, newest first.

use http::StatusCode;
use pointbook_http::describe::Operation;
use pointbook_http::documentation::{Tag, page_parameters};
use pointbook_http::kernel::{Response, json};
use pointbook_http::query::{ReadQuery, unfiltered_list};
use pointbook_http::query_string::PageLinks;
use pointbook_http::views::envelope::page_body;
use pointbook_http::{ApiError, ApiRequest};
use pointbook_store::ports::OrderFilter;

use super::PATH;
use crate::orders::view::OrderView;

/// Answers with one read.
pub(super) async fn list(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let context = request.context::<()>();
    let query_string = request.query_string;
    let tenant = &request.tenant.tenant;
    let page = query_string.read(unfiltered_list)?.request(&tenant.settings);
    let filter = OrderFilter { user_id: Some(context.customer()?.clone()), ..OrderFilter::default() };
    let orders = request.tenant.data.orders(&filter, page).await?;
    let links = PageLinks::new(tenant.base_url.as_str(), PATH, query_string);
    let views = orders.items.iter().map(OrderView::from);
    Ok(json(StatusCode::OK, page_body(views, &page.window(orders.total), &links)))
}

pub(super) fn documentation() -> Operation {
    Operation::ours("listOrders", Tag::Store, "List the customer's own orders")
        .describe("Lists the orders of the signed-in customer, newest first. It has no filters.")
        .taking(page_parameters())
        .page::<OrderView<'_>>("A page of orders.")
}
