//! `POST /v1/manage/orders/{order_id}/cancel`: points and pieces are given back.

use pointbook_app::cancel_order;
use pointbook_domain::OrderId;

use super::step::render;
use crate::answer::{finish, once};
use crate::body::EmptyBody;
use crate::response::Response;
use crate::routes::{HttpState, path_id};
use crate::{ApiError, Asked};

/// Gives back what a placed order took, once.
pub(super) async fn cancel(state: &HttpState, mut asked: Asked<'_>) -> Result<Response, ApiError> {
    let body = EmptyBody::of(&mut asked).await?;
    let id = path_id(asked.path, OrderId::new).ok_or(ApiError::NotFound)?;
    let once = once(body.key, asked.now, render);
    let execution = cancel_order(asked.tenant, &id, &*state.ids, asked.now, once).await?;
    finish(execution, render)
}
