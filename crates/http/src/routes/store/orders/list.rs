//! `GET /v1/store/orders`: a page of the user's own orders, newest first.

use http::StatusCode;
use pointbook_app::ports::OrderFilter;
use pointbook_describe::Operation;
use pointbook_http_kernel::{Response, json};

use super::PATH;
use crate::openapi::{Tag, page_parameters};
use crate::query::{PageLinks, QueryString, own_order_list_query};
use crate::wire::envelope::page_body;
use crate::wire::order::OrderView;
use crate::{ApiError, Asked};

/// Answers with one read.
pub(super) async fn list(asked: Asked<'_>) -> Result<Response, ApiError> {
    let context = asked.context::<()>()?;
    let query_string = QueryString::parse(asked.query)?;
    let tenant = &asked.tenant.tenant;
    let page = own_order_list_query(&query_string)?.request(&tenant.settings);
    let filter = OrderFilter { user_id: Some(context.customer()?.clone()), status: None };
    let orders = asked.tenant.data.orders(&filter, page).await?;
    let links = PageLinks::new(tenant.base_url.as_str(), PATH, &query_string);
    let views = orders.items.iter().map(OrderView::for_customer);
    Ok(json(StatusCode::OK, page_body(views, &page.window(orders.total), &links)))
}

/// What the description says of it.
pub(super) fn documentation() -> Operation {
    Operation::ours("listOrders", Tag::Store, "List the customer's own orders")
        .describe("A page of the signed-in customer's orders, newest first. There is no filter.")
        .taking(page_parameters())
        .answering(StatusCode::OK, "A page of orders.", "OrderPage", EXAMPLE)
}

const EXAMPLE: &str = r#"{
    "data": [{
        "id": "01a1ff0b10ff7172b0306b6798633ea0",
        "number": "6H1Z-X1HP-ARYT",
        "status": "placed",
        "product": {"id": "cafe-mug", "sku": "ACM-HK-1001", "title": "Café mug, speckled stoneware"},
        "quantity": 1,
        "points": 490,
        "created_at": "2026-05-05T19:30:00.000000Z",
        "fulfilled_at": null,
        "cancelled_at": null
    }],
    "links": {
        "first": "http://localhost:8080/acme/api/v1/store/orders?page%5Bnumber%5D=1",
        "last": "http://localhost:8080/acme/api/v1/store/orders?page%5Bnumber%5D=1",
        "prev": null,
        "next": null
    },
    "meta": {
        "current_page": 1, "from": 1, "last_page": 1, "path": "http://localhost:8080/acme/api/v1/store/orders",
        "per_page": 15, "to": 1, "total": 1
    }
}"#;
