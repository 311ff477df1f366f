//! `GET /v1/user/point-history`: the signed-in user's transactions by day and type.

use std::sync::Arc;

use http::header::{ACCEPT_LANGUAGE, CONTENT_LANGUAGE, VARY};
use http::{HeaderValue, StatusCode};
use pointbook_app::background::{MAX_ROWS_AT_ONCE, in_background};
use pointbook_app::{PointHistory, StoreResult};

use crate::query::{QueryString, point_history_query};
use crate::response::{Response, json};
use crate::routes::HttpState;
use crate::texts::LocaleTexts;
use crate::wire::point_history::point_history_body;
use crate::{ApiError, Asked};

/// Answers with one read of the ledger, in the language that the client asks for.
pub(in crate::routes) async fn point_history(
    state: &HttpState,
    asked: Asked<'_>,
) -> Result<Response, ApiError> {
    let customer = asked.customer()?;
    let query_string = QueryString::parse(asked.query).map_err(ApiError::Invalid)?;
    let page = point_history_query(&query_string).map_err(ApiError::Invalid)?;
    let history = pointbook_app::point_history(asked.tenant, customer, page).await?;
    let texts = state.texts.of(&asked.tenant.tenant);
    let offered = texts.choose(asked.headers);
    let mut response = json(StatusCode::OK, body(history, &offered.texts).await?);
    response.headers.insert(CONTENT_LANGUAGE, offered.content_language.clone());
    response.headers.insert(VARY, HeaderValue::from(ACCEPT_LANGUAGE));
    Ok(response)
}

async fn body(history: PointHistory, texts: &Arc<LocaleTexts>) -> StoreResult<Vec<u8>> {
    if history.grouped.row_count() <= MAX_ROWS_AT_ONCE {
        return Ok(point_history_body(&history, texts));
    }
    let texts = texts.clone();
    in_background(move || point_history_body(&history, &texts)).await
}
