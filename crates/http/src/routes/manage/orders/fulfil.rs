//! `POST /v1/manage/orders/{order_id}/fulfil`: the pieces went out.

use pointbook_app::fulfil_order;
use pointbook_domain::OrderId;

use super::step::render;
use crate::answer::{finish, once};
use crate::body::EmptyBody;
use crate::response::Response;
use crate::routes::path_id;
use crate::{ApiError, Asked};

/// Closes a placed order.
pub(super) async fn fulfil(mut asked: Asked<'_>) -> Result<Response, ApiError> {
    let body = EmptyBody::of(&mut asked).await?;
    let id = path_id(asked.path, OrderId::new).ok_or(ApiError::NotFound)?;
    let once = once(body.key, asked.now, render);
    let execution = fulfil_order(asked.tenant, &id, asked.now, once).await?;
    finish(execution, render)
}
