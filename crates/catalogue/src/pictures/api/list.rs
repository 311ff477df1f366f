//! `GET /v1/manage/pictures`: a page of the pictures, the newest first.

use http::StatusCode;
use pointbook_http::describe::Operation;
use pointbook_http::documentation::Tag;
use pointbook_http::kernel::{Response, json};
use pointbook_http::query::{ReadQuery, describe, picture_list};
use pointbook_http::query_string::PageLinks;
use pointbook_http::views::envelope::page_body;
use pointbook_http::{ApiError, ApiRequest};

use super::PATH;
use crate::pictures::list_pictures;
use crate::pictures::view::PictureView;

pub(super) async fn list(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let query_string = request.query_string;
    let tenant = &request.tenant.tenant;
    let page = query_string.read(picture_list)?.request(&tenant.settings);
    let pictures = list_pictures(&*request.tenant.data, page).await?;
    let base_url = tenant.base_url.as_str();
    let links = PageLinks::new(base_url, PATH, query_string);
    let views = pictures.items.iter().map(|picture| PictureView::new(base_url, picture));
    Ok(json(StatusCode::OK, page_body(views, &page.window(pictures.total), &links)))
}

pub(super) fn documentation() -> Operation {
    Operation::ours("listPictures", Tag::Management, "List the pictures")
        .describe("Lists the pictures of the tenant, the newest first, also those that no product shows.")
        .taking(describe(picture_list))
        .page::<PictureView>("A page of pictures.")
}
