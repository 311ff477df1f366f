//! `GET /v1/manage/orders`: a page of all orders, newest first.

use http::StatusCode;
use pointbook_describe::Operation;
use pointbook_http_kernel::{Response, json};

use super::PATH;
use crate::openapi::Tag;
use crate::query::{OrderListQuery, PageLinks, QueryString, order_list_parameters, order_list_query};
use crate::wire::envelope::page_body;
use crate::wire::order::OrderView;
use crate::{ApiError, Asked};

/// Answers with one read.
pub(super) async fn list(asked: Asked<'_>) -> Result<Response, ApiError> {
    let query_string = QueryString::parse(asked.query)?;
    let OrderListQuery { page, filter } = order_list_query(&query_string)?;
    let tenant = &asked.tenant.tenant;
    let page = page.request(&tenant.settings);
    let orders = asked.tenant.data.orders(&filter, page).await?;
    let links = PageLinks::new(tenant.base_url.as_str(), PATH, &query_string);
    let views = orders.items.iter().map(OrderView::for_back_office);
    Ok(json(StatusCode::OK, page_body(views, &page.window(orders.total), &links)))
}

/// What the description says of it.
pub(super) fn documentation() -> Operation {
    Operation::ours("listManagedOrders", Tag::Management, "List all orders")
        .describe("A page of everybody's orders, newest first.")
        .taking(order_list_parameters())
        .answering(StatusCode::OK, "A page of orders.", "ManagedOrderPage", EXAMPLE)
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
        "cancelled_at": null,
        "user_id": "ben"
    }],
    "links": {
        "first": "http://localhost:8080/acme/api/v1/manage/orders?page%5Bnumber%5D=1",
        "last": "http://localhost:8080/acme/api/v1/manage/orders?page%5Bnumber%5D=1",
        "prev": null,
        "next": null
    },
    "meta": {
        "current_page": 1, "from": 1, "last_page": 1, "path": "http://localhost:8080/acme/api/v1/manage/orders",
        "per_page": 15, "to": 1, "total": 1
    }
}"#;
