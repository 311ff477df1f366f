//! Calling the router so that neither a slow nor a panicking handler gets away.

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, HttpBody};
use bytes::Bytes;
use futures_util::FutureExt;
use http::{Request, Response};
use http_body_util::BodyExt;
use tower::Service;

use crate::ApiError;

/// Why the router gave no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Failure {
    /// It took too long.
    Timeout,
    /// It panicked.
    Panic,
    /// Its body broke off.
    Body,
}

impl From<Failure> for ApiError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Timeout => Self::Unavailable,
            Failure::Panic | Failure::Body => Self::Internal,
        }
    }
}

/// The router's answer with its whole body, within this time.
pub(super) async fn call(
    mut router: Router,
    request: Request<Body>,
    timeout: Duration,
) -> Result<Response<Bytes>, Failure> {
    // Unwind safe, because nothing that was touched is used again: handlers share only what is
    // behind locks and atomics.
    let answer = AssertUnwindSafe(async move {
        let Ok(response) = router.call(request).await;
        with_whole_body(response).await
    });
    match tokio::time::timeout(timeout, answer.catch_unwind()).await {
        Ok(Ok(answered)) => answered,
        Ok(Err(_panic)) => Err(Failure::Panic),
        Err(_elapsed) => Err(Failure::Timeout),
    }
}

/// Gathers a body. Ours are one piece already, which is then handed on without a copy.
pub(super) async fn with_whole_body(response: Response<Body>) -> Result<Response<Bytes>, Failure> {
    let (parts, mut body) = response.into_parts();
    let first = match body.frame().await {
        None => Bytes::new(),
        Some(frame) => frame.map_err(|_| Failure::Body)?.into_data().unwrap_or_default(),
    };
    if body.is_end_stream() {
        return Ok(Response::from_parts(parts, first));
    }
    let rest = body.collect().await.map_err(|_| Failure::Body)?.to_bytes();
    let whole = Bytes::from([first, rest].concat());
    Ok(Response::from_parts(parts, whole))
}

#[cfg(test)]
mod tests {
    use futures_util::stream;

    use super::*;

    #[tokio::test]
    async fn a_body_in_pieces_is_put_together() {
        let pieces = stream::iter(["a", "", "bc"].map(Ok::<_, std::io::Error>));
        let whole = with_whole_body(Response::new(Body::from_stream(pieces))).await.unwrap();
        assert_eq!(whole.body(), "abc");
    }

    #[tokio::test]
    async fn a_body_that_breaks_off_is_no_answer() {
        let pieces = stream::iter([Ok("a"), Err(std::io::Error::other("gone"))]);
        let failure = with_whole_body(Response::new(Body::from_stream(pieces))).await.unwrap_err();
        assert_eq!(failure, Failure::Body);
    }
}
