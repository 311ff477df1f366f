//! `GET /v1/manage/orders`: a page of all orders, newest first.

use http::StatusCode;
use pointbook_http::describe::Operation;
use pointbook_http::documentation::Tag;
use pointbook_http::kernel::{Response, json};
use pointbook_http::query::{ReadQuery, describe};
use pointbook_http::query_string::PageLinks;
use pointbook_http::views::envelope::page_body;
use pointbook_http::{ApiError, ApiRequest};

use super::PATH;
use crate::orders::query::{OrderListQuery, order_list};
use crate::orders::view::ManagedOrderView;

/// Answers with one read.
pub(super) async fn list(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let query_string = request.query_string;
    let OrderListQuery { page, filter } = query_string.read(order_list)?;
    let tenant = &request.tenant.tenant;
    let page = page.request(&tenant.settings);
    let orders = request.tenant.data.orders(&filter, page).await?;
    let links = PageLinks::new(tenant.base_url.as_str(), PATH, query_string);
    let views = orders.items.iter().map(ManagedOrderView::from);
    Ok(json(StatusCode::OK, page_body(views, &page.window(orders.total), &links)))
}

pub(super) fn documentation() -> Operation {
    Operation::ours("listManagedOrders", Tag::Management, "List all orders")
        .describe("Lists the orders of all users, newest first.")
        .taking(describe(order_list))
        .page::<ManagedOrderView<'_>>("A page of orders.")
}
