//! `GET /v1/manage/orders`: a page of all orders, newest first.

use axum::response::Response;
use http::{StatusCode, Uri};

use super::PATH;
use crate::query::{OrderListQuery, PageLinks, QueryString, order_list_query};
use crate::response::json;
use crate::wire::envelope::page_body;
use crate::wire::order::OrderView;
use crate::{ApiError, RequestContext};

/// Answers with one read.
pub(super) async fn list(context: RequestContext, uri: Uri) -> Result<Response, ApiError> {
    let query_string = QueryString::parse(uri.query())?;
    let OrderListQuery { page, filter } = order_list_query(&query_string)?;
    let tenant = &context.tenant.tenant;
    let page = page.request(&tenant.settings);
    let orders = context.tenant.data.orders(&filter, page).await?;
    let links = PageLinks::new(tenant.base_url.as_str(), PATH, &query_string);
    let views = orders.items.iter().map(OrderView::for_back_office);
    Ok(json(StatusCode::OK, page_body(views, &page.window(orders.total), &links)))
}
