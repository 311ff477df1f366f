//! `GET /v1/store/orders`: a page of the user's own orders, newest first.

use http::StatusCode;
use pointbook_app::ports::OrderFilter;

use super::PATH;
use crate::query::{PageLinks, QueryString, own_order_list_query};
use crate::response::{Response, json};
use crate::wire::envelope::page_body;
use crate::wire::order::OrderView;
use crate::{ApiError, Asked};

/// Answers with one read.
pub(super) async fn list(asked: Asked<'_>) -> Result<Response, ApiError> {
    let customer = asked.customer()?;
    let query_string = QueryString::parse(asked.query)?;
    let tenant = &asked.tenant.tenant;
    let page = own_order_list_query(&query_string)?.request(&tenant.settings);
    let filter = OrderFilter { user_id: Some(customer.clone()), status: None };
    let orders = asked.tenant.data.orders(&filter, page).await?;
    let links = PageLinks::new(tenant.base_url.as_str(), PATH, &query_string);
    let views = orders.items.iter().map(OrderView::for_customer);
    Ok(json(StatusCode::OK, page_body(views, &page.window(orders.total), &links)))
}
