//! `GET /v1/store/orders`: a page of the user's own orders, newest first.

use axum::response::Response;
use http::{StatusCode, Uri};
use pointbook_app::ports::OrderFilter;

use super::PATH;
use crate::auth::Customer;
use crate::query::{PageLinks, QueryString, own_order_list_query};
use crate::response::json;
use crate::wire::envelope::page_body;
use crate::wire::order::OrderView;
use crate::{ApiError, RequestContext};

/// Answers with one read.
pub(super) async fn list(
    context: RequestContext,
    customer: Customer,
    uri: Uri,
) -> Result<Response, ApiError> {
    let query_string = QueryString::parse(uri.query())?;
    let tenant = &context.tenant.tenant;
    let page = own_order_list_query(&query_string)?.request(&tenant.settings);
    let filter = OrderFilter { user_id: Some(customer.user_id), status: None };
    let orders = context.tenant.data.orders(&filter, page).await?;
    let links = PageLinks::new(tenant.base_url.as_str(), PATH, &query_string);
    let views = orders.items.iter().map(OrderView::for_customer);
    Ok(json(StatusCode::OK, page_body(views, &page.window(orders.total), &links)))
}
