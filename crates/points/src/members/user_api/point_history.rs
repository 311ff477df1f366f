//! `GET /v1/user/point-history`: the signed-in user's transactions by day and type.

use std::sync::Arc;

use http::header::{ACCEPT_LANGUAGE, CONTENT_LANGUAGE, VARY};
use http::{HeaderValue, StatusCode};
use pointbook_domain::texts::LocaleTexts;
use pointbook_http::describe::Operation;
use pointbook_http::documentation::Tag;
use pointbook_http::kernel::{Response, json};
use pointbook_http::query::ReadQuery;
use pointbook_http::{ApiError, ApiRequest};
use pointbook_store::background::{MAX_ROWS_AT_ONCE, in_background_for};
use pointbook_store::{Context, StoreResult};

use crate::members::history_view::point_history_body;
use crate::members::history_view::schema::PointHistoryView;
use crate::members::point_history::PointHistory;
use crate::members::query::{point_history as history_query, point_history_parameters};

/// Needs one read of the ledger. The texts are in the language that the client prefers.
pub(crate) async fn point_history(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let query_string = request.query_string;
    let page = query_string.read(history_query).map_err(ApiError::Invalid)?;
    let context = request.context();
    let history = crate::members::point_history::point_history(&context, page).await?;
    let texts = request.state.texts.of(&request.tenant.tenant);
    let offered = texts.choose(request.headers);
    let mut response = json(StatusCode::OK, body(&context, history, &offered.texts).await?);
    response.headers.insert(CONTENT_LANGUAGE, offered.content_language.clone());
    response.headers.insert(VARY, HeaderValue::from(ACCEPT_LANGUAGE));
    Ok(response)
}

async fn body(context: &Context, history: PointHistory, texts: &Arc<LocaleTexts>) -> StoreResult<Vec<u8>> {
    if history.grouped.row_count() <= MAX_ROWS_AT_ONCE {
        return Ok(point_history_body(&history, texts));
    }
    let texts = texts.clone();
    in_background_for(context.worker(), move || point_history_body(&history, &texts)).await
}

pub(super) fn documentation() -> Operation {
    Operation::documented("getPointHistory", Tag::History, "Get the point history")
        .describe(
            "Returns the transactions of the signed-in customer, grouped by UTC date and then by activity type, newest \
             first. A page has whole days. The tenant sets the number of days per page (default 15); a request cannot \
             change it. A page beyond the last one is empty.",
        )
        .taking(point_history_parameters())
        .body::<PointHistoryView>(StatusCode::OK, "A page of days, and the balance.", EXAMPLE)
        .with_headers(&["Content-Language"])
}

const EXAMPLE: &str = include_str!("point_history.json");
