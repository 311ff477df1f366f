//! `GET /v1/store/products`: a page of the products, filtered and sorted.

use http::StatusCode;
use pointbook_customers::{list_products, search_titles};
use pointbook_endpoint_kit::documentation::Tag;
use pointbook_endpoint_kit::{ApiError, ApiRequest};
use pointbook_http::describe::Operation;
use pointbook_http::kernel::Response;
use pointbook_http::query_string::PageLinks;
use pointbook_requests::query::products::product_list;
use pointbook_requests::query::{ReadQuery, describe};
use pointbook_store::catalogue_cache::CatalogueCache;
use pointbook_store::catalogue_cache::snapshot;
use pointbook_wire::product_list::{product_list_body, product_list_tag};

use pointbook_endpoint_kit::documentation::STALE;

/// The path, also of links.
pub const PATH: &str = "/v1/store/products";

/// Reads only the snapshot.
pub async fn list(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let query_string = request.query_string;
    let query = query_string.read(product_list).map_err(ApiError::Invalid)?;
    let tenant = &request.tenant.tenant;
    let snapshot = snapshot(&request.tenant, request.now).await?;
    search_titles(request.tenant.state::<CatalogueCache>().processor(), &snapshot, &query).await;
    let list = list_products(&snapshot, &tenant.settings, query, request.now);
    let links = PageLinks::new(tenant.base_url.as_str(), PATH, query_string);
    Ok(request
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
