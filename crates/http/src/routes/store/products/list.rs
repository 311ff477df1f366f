//! `GET /v1/store/products`: a page of the products, filtered and sorted.

use http::StatusCode;
use pointbook_app::{list_products, search_titles};
use pointbook_describe::Operation;
use pointbook_http_kernel::Response;

use crate::openapi::{STALE, Tag};
use crate::query::{PageLinks, ReadQuery, describe, product_list};
use crate::{ApiError, Asked};
use pointbook_wire::product_list::{product_list_body, product_list_tag};

/// The path, also of links.
pub(in crate::routes) const PATH: &str = "/v1/store/products";

/// Reads only the snapshot.
pub(in crate::routes) async fn list(asked: Asked<'_>) -> Result<Response, ApiError> {
    let query_string = asked.query_string;
    let query = query_string.read(product_list).map_err(ApiError::Invalid)?;
    let tenant = &asked.tenant.tenant;
    let snapshot = asked.tenant.snapshot(asked.now).await?;
    search_titles(asked.tenant.catalogue.processor(), &snapshot, &query).await;
    let list = list_products(&snapshot, &tenant.settings, query, asked.now);
    let links = PageLinks::new(tenant.base_url.as_str(), PATH, query_string);
    Ok(asked
        .tagged(product_list_tag(snapshot.content_key(), &list, &links), || product_list_body(&list, &links)))
}

pub(super) fn documentation() -> Operation {
    Operation::documented("listProducts", Tag::Store, "List products")
        .describe(
            "Lists the products that customers see. A product must match all filters. Without `sort`, the newest \
             products come first.",
        )
        .taking(describe(product_list))
        .answering(StatusCode::OK, "A page of products.", "ProductPage", EXAMPLE)
        .with_headers(STALE)
}

const EXAMPLE: &str = include_str!("list.json");
