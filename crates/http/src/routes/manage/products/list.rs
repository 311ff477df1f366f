//! `GET /v1/manage/products`: a page of the products that are not retired, by id.

use axum::response::Response;
use http::{StatusCode, Uri};

use super::PATH;
use crate::query::{ManagedProductListQuery, PageLinks, QueryString, managed_product_list_query};
use crate::response::json;
use crate::wire::envelope::page_body;
use crate::wire::managed_product::ManagedProductView;
use crate::{ApiError, RequestContext};

/// Answers with one read of the database, so that the stock is what it is now.
pub(super) async fn list(context: RequestContext, uri: Uri) -> Result<Response, ApiError> {
    let query_string = QueryString::parse(uri.query())?;
    let ManagedProductListQuery { page, search } = managed_product_list_query(&query_string)?;
    let tenant = &context.tenant.tenant;
    let page = page.request(&tenant.settings);
    let products = context.tenant.data.products(search.as_deref(), page).await?;
    let links = PageLinks::new(tenant.base_url.as_str(), PATH, &query_string);
    let views = products.items.iter().map(ManagedProductView::from);
    Ok(json(StatusCode::OK, page_body(views, &page.window(products.total), &links)))
}
