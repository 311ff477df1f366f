//! `POST /v1/manage/orders/{order_id}/fulfil`: the pieces went out.

use axum::response::Response;
use http::Uri;
use pointbook_app::fulfil_order;
use pointbook_domain::OrderId;

use super::step::render;
use crate::answer::{finish, once};
use crate::body::EmptyBody;
use crate::routes::path_id;
use crate::{ApiError, RequestContext};

/// Closes a placed order.
pub(super) async fn fulfil(context: RequestContext, uri: Uri, body: EmptyBody) -> Result<Response, ApiError> {
    let id = path_id(&uri, OrderId::new).ok_or(ApiError::NotFound)?;
    let once = once(body.key, context.now, render);
    let execution = fulfil_order(&context.tenant, &id, context.now, once).await?;
    finish(execution, render)
}
