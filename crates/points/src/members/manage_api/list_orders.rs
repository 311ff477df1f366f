//! `GET /v1/manage/users/{userId}/orders`: the orders of one user, newest first.

use http::StatusCode;
use pointbook_domain::UserId;
use pointbook_http::describe::Operation;
use pointbook_http::documentation::{Tag, page_parameters};
use pointbook_http::kernel::{Response, json};
use pointbook_http::query::{ReadQuery, unfiltered_list};
use pointbook_http::query_string::PageLinks;
use pointbook_http::views::envelope::page_body;
use pointbook_http::{ApiError, ApiRequest, path_id};
use pointbook_store::ports::OrderFilter;

use crate::orders::view::ManagedOrderView;

pub(super) async fn list_orders(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let user = path_id(request.params, "userId", UserId::new)?;
    let (tenant, data) = (&request.tenant.tenant, &request.tenant.data);
    let page = request.query_string.read(unfiltered_list)?.request(&tenant.settings);
    let filter = OrderFilter { user_id: Some(user.clone()), ..OrderFilter::default() };
    let orders = data.orders(&filter, page).await?;
    if orders.total == 0 && data.user(&user).await?.is_none() {
        return Err(ApiError::NotFound);
    }
    let links = PageLinks::new(tenant.base_url.as_str(), &request.params.link(), request.query_string);
    let views = orders.items.iter().map(ManagedOrderView::from);
    Ok(json(StatusCode::OK, page_body(views, &page.window(orders.total), &links)))
}

pub(super) fn documentation() -> Operation {
    Operation::ours("listOrdersOfUser", Tag::Management, "List the orders of a user")
        .describe("Lists the orders of one user, newest first. It has no filters.")
        .taking(page_parameters())
        .page::<ManagedOrderView<'_>>("A page of orders.")
}
