//! `GET /v1/user/point-history`: the signed-in user's transactions by day and type.

use axum::extract::State;
use axum::response::Response;
use http::header::{ACCEPT_LANGUAGE, CONTENT_LANGUAGE, VARY};
use http::{HeaderMap, HeaderValue, StatusCode, Uri};

use crate::auth::Customer;
use crate::query::{QueryString, point_history_query};
use crate::response::json;
use crate::routes::HttpState;
use crate::wire::point_history::point_history_body;
use crate::{ApiError, RequestContext};

/// Answers with one read of the ledger, in the language that the client asks for.
pub(in crate::routes) async fn point_history(
    State(state): State<HttpState>,
    context: RequestContext,
    customer: Customer,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let query_string = QueryString::parse(uri.query()).map_err(ApiError::Invalid)?;
    let page = point_history_query(&query_string).map_err(ApiError::Invalid)?;
    let history = pointbook_app::point_history(&context.tenant, &customer.user_id, page).await?;
    let texts = state.texts.of(&context.tenant.tenant);
    let offered = texts.choose(&headers);
    let mut response = json(StatusCode::OK, point_history_body(&history, &offered.texts));
    response.headers_mut().insert(CONTENT_LANGUAGE, offered.content_language.clone());
    response.headers_mut().insert(VARY, HeaderValue::from(ACCEPT_LANGUAGE));
    Ok(response)
}
