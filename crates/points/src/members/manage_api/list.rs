//! `GET /v1/manage/users`: a page of the users, by id.

use http::StatusCode;
use pointbook_http::describe::Operation;
use pointbook_http::documentation::Tag;
use pointbook_http::kernel::{Response, json};
use pointbook_http::query::{ReadQuery, describe};
use pointbook_http::query_string::PageLinks;
use pointbook_http::views::envelope::page_body;
use pointbook_http::{ApiError, ApiRequest};

use super::PATH;
use crate::members::query::{UserListQuery, user_list};
use crate::members::read::members;
use crate::members::view::UserView;

/// Answers with one read.
pub(super) async fn list(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let query_string = request.query_string;
    let UserListQuery { page, filter } = query_string.read(user_list)?;
    let tenant = &request.tenant.tenant;
    let page = page.request(&tenant.settings);
    let users = members(request.tenant, &filter, page, request.now).await?;
    let links = PageLinks::new(tenant.base_url.as_str(), PATH, query_string);
    let views = users.items.iter().map(UserView::from);
    Ok(json(StatusCode::OK, page_body(views, &page.window(users.total), &links)))
}

pub(super) fn documentation() -> Operation {
    Operation::ours("listUsers", Tag::Management, "List users")
        .describe("Lists the users, by id.")
        .taking(describe(user_list))
        .page::<UserView<'_>>("A page of users.")
}
