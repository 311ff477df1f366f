//! `GET /v1/store/products`: a page of the products, filtered and sorted.

use axum::response::Response;
use http::{StatusCode, Uri};
use pointbook_app::list_products;

use crate::query::{PageLinks, QueryString, product_list_query};
use crate::response::json;
use crate::wire::product_list::product_list_body;
use crate::{ApiError, RequestContext};

/// The path, which links begin with too.
pub(in crate::routes) const PATH: &str = "/v1/store/products";

/// Answers from the snapshot alone.
pub(in crate::routes) async fn list(context: RequestContext, uri: Uri) -> Result<Response, ApiError> {
    let query_string = QueryString::parse(uri.query()).map_err(ApiError::Invalid)?;
    let query = product_list_query(&query_string).map_err(ApiError::Invalid)?;
    let tenant = &context.tenant.tenant;
    let snapshot = context.tenant.snapshot(context.now).await?;
    let list = list_products(&snapshot, &tenant.settings, query, context.now);
    let links = PageLinks::new(tenant.base_url.as_str(), PATH, &query_string);
    Ok(json(StatusCode::OK, product_list_body(&list, &links)))
}
