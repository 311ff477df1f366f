//! `GET /v1/manage/users/{userId}/transactions`: the ledger of one user, the newest row first.

use http::StatusCode;
use pointbook_domain::UserId;
use pointbook_http::describe::Operation;
use pointbook_http::documentation::{Tag, page_parameters};
use pointbook_http::kernel::{Response, json};
use pointbook_http::query::{ReadQuery, unfiltered_list};
use pointbook_http::query_string::PageLinks;
use pointbook_http::views::envelope::page_body;
use pointbook_http::{ApiError, ApiRequest, path_id};

use crate::members::ledger_view::LedgerEntryView;

pub(super) async fn list_transactions(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let user = path_id(request.params, "userId", UserId::new)?;
    let (tenant, data) = (&request.tenant.tenant, &request.tenant.data);
    let page = request.query_string.read(unfiltered_list)?.request(&tenant.settings);
    let entries = data.entries_of(&user, page).await?;
    if entries.total == 0 && data.user(&user).await?.is_none() {
        return Err(ApiError::NotFound);
    }
    let links = PageLinks::new(tenant.base_url.as_str(), &request.params.link(), request.query_string);
    let views = entries.items.iter().map(LedgerEntryView::from);
    Ok(json(StatusCode::OK, page_body(views, &page.window(entries.total), &links)))
}

pub(super) fn documentation() -> Operation {
    Operation::ours("listTransactions", Tag::Management, "List the transactions of a user")
        .describe(
            "Lists the ledger of one user, the most recently recorded transaction first. It has no filters.",
        )
        .taking(page_parameters())
        .page::<LedgerEntryView<'_>>("A page of transactions.")
}
