//! `GET /v1/store/products/{product_id}`: one product.

use std::borrow::Cow;

use axum::response::Response;
use http::{StatusCode, Uri};

use crate::query::QueryString;
use crate::query::percent::decode_segment;
use crate::response::json;
use crate::wire::product::product_body;
use crate::{ApiError, RequestContext};

/// Answers from the snapshot; an id that no product can have is one that no product has.
pub(in crate::routes) async fn show(context: RequestContext, uri: Uri) -> Result<Response, ApiError> {
    // No parameter is known here, but what no query may be is refused as everywhere.
    QueryString::parse(uri.query()).map_err(ApiError::Invalid)?;
    let id = product_id(&uri).ok_or(ApiError::ProductNotFound)?;
    let snapshot = context.tenant.snapshot(context.now).await?;
    let product = snapshot.product(&id).ok_or(ApiError::ProductNotFound)?;
    Ok(json(StatusCode::OK, product_body(product)))
}

/// The last segment of the path, decoded after it was split off: `%2F` is part of the id.
fn product_id(uri: &Uri) -> Option<Cow<'_, str>> {
    decode_segment(uri.path().rsplit('/').next()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_product_id_may_hold_any_character() {
        let id = |segment: &str| {
            let uri: Uri = format!("/v1/store/products/{segment}?x=/y").parse().unwrap();
            product_id(&uri).map(Cow::into_owned)
        };
        assert_eq!(id("a%2Fb%20%3F+c").as_deref(), Some("a/b ?+c"));
        assert_eq!(id("%E3%81%8B").as_deref(), Some("か"));
        assert_eq!(id("100%"), None);
        assert_eq!(id("%FF"), None);
    }
}
