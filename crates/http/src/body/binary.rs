//! A body of bytes, such as a picture.

use bytes::Bytes;
use pointbook_store::ports::RequestKey;

use super::content_type::expect_uncoded;
use super::error::BodyError;
use super::key::{Received, receive};
use crate::head::Head;

/// A body whose bytes say what it is. Its `Content-Type` does not matter.
pub struct BinaryBody {
    /// The key of the request. `None` unless it is a POST with a key.
    pub key: Option<RequestKey>,
    pub bytes: Bytes,
}

impl BinaryBody {
    /// Reads the body of a request.
    ///
    /// # Errors
    /// The body has a content coding or did not arrive, or the idempotency key is invalid.
    pub async fn of<'r>(request: impl Into<Head<'r>>) -> Result<Self, BodyError> {
        let head = request.into();
        expect_uncoded(head.headers)?;
        let Received { bytes, key, errors } = receive(head).await?;
        if errors.is_empty() { Ok(Self { key, bytes }) } else { Err(errors.into()) }
    }
}
