//! `POST /v1/manage/orders/{order_id}/cancel`: points and pieces are given back.

use axum::extract::State;
use axum::response::Response;
use http::Uri;
use pointbook_app::cancel_order;
use pointbook_domain::OrderId;

use super::step::render;
use crate::answer::{finish, once};
use crate::body::EmptyBody;
use crate::routes::{HttpState, path_id};
use crate::{ApiError, RequestContext};

/// Gives back what a placed order took, once.
pub(super) async fn cancel(
    State(state): State<HttpState>,
    context: RequestContext,
    uri: Uri,
    body: EmptyBody,
) -> Result<Response, ApiError> {
    let id = path_id(&uri, OrderId::new).ok_or(ApiError::NotFound)?;
    let once = once(body.key, context.now, render);
    let execution = cancel_order(&context.tenant, &id, &*state.ids, context.now, once).await?;
    finish(execution, render)
}
