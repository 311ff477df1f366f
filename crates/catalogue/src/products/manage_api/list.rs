//! `GET /v1/manage/products`: a page of the products that are not retired.

use http::StatusCode;
use pointbook_http::describe::Operation;
use pointbook_http::documentation::Tag;
use pointbook_http::kernel::{Response, json};
use pointbook_http::query::{ReadQuery, describe};
use pointbook_http::query_string::PageLinks;
use pointbook_http::views::envelope::page_body;
use pointbook_http::{ApiError, ApiRequest};

use super::PATH;
use crate::products::list_managed::list_products;
use crate::products::managed::ManagedProductView;
use crate::products::query::{ManagedProductListQuery, managed_product_list};

/// Needs one database read, so that the stock is the present one.
pub(super) async fn list(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let query_string = request.query_string;
    let ManagedProductListQuery { page, filter } = query_string.read(managed_product_list)?;
    let tenant = &request.tenant.tenant;
    let page = page.request(&tenant.settings);
    let products = list_products(request.tenant, filter, page, request.now).await?;
    let links = PageLinks::new(tenant.base_url.as_str(), PATH, query_string);
    let views = products.items.iter().map(ManagedProductView::from);
    Ok(json(StatusCode::OK, page_body(views, &page.window(products.total), &links)))
}

pub(super) fn documentation() -> Operation {
    Operation::ours("listManagedProducts", Tag::Management, "List all products")
        .describe("Lists the products that are not retired, by id unless `sort` says otherwise. The list includes products \
                   that customers do not see.")
        .taking(describe(managed_product_list))
        .page::<ManagedProductView<'_>>("A page of products.")
}
