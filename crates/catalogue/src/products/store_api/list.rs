//! `GET /v1/store/products`: a page of the products, filtered and sorted.

use pointbook_http::describe::Operation;
use pointbook_http::documentation::{STALE, Tag};
use pointbook_http::kernel::Response;
use pointbook_http::query::{ReadQuery, describe};
use pointbook_http::query_string::PageLinks;
use pointbook_http::{ApiError, ApiRequest};

use crate::cache::{CatalogueCache, snapshot};
use crate::products::list_store::{list_products, search_titles};
use crate::products::list_view::{product_list_body, product_list_tag};
use crate::products::query::product_list;
use crate::products::view::ProductView;

/// The path, also of links.
pub(crate) const PATH: &str = "/v1/store/products";

/// Reads only the snapshot.
pub(crate) async fn list(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let query_string = request.query_string;
    let query = query_string.read(product_list).map_err(ApiError::Invalid)?;
    let tenant = &request.tenant.tenant;
    let snapshot = snapshot(request.tenant, request.now).await?;
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
        .page::<ProductView>("A page of products.")
        .with_headers(STALE)
}
