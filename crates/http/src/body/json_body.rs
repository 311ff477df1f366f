//! A body that is one object, and an empty body.

use pointbook_domain::errors::{FieldErrors, Rule};
use pointbook_domain::json::{Json, JsonProblem};
use pointbook_store::StoreError;
use pointbook_store::background::in_background_for;
use pointbook_store::ports::RequestKey;

use super::WHOLE;
use super::content_type::expect_json;
use super::error::BodyError;
use super::fields::BodyFields;
use super::key::{Received, receive};
use crate::head::Head;
use crate::kernel::Refusal;

/// A longer body is parsed in the background, so that other requests do not wait.
const MAX_BYTES_AT_ONCE: usize = 64 * 1_024;

/// A body that is one JSON object.
pub struct JsonBody {
    /// The key of the request. `None` unless it is a POST with a key.
    pub key: Option<RequestKey>,
    members: Vec<(String, Json)>,
    errors: FieldErrors,
}

impl JsonBody {
    /// Its fields to read. An error of the idempotency key is among their errors.
    pub fn fields(&self) -> BodyFields<'_> {
        BodyFields::new(&self.members, self.errors.clone())
    }

    /// Reads the body of a request.
    ///
    /// # Errors
    /// The body is no JSON object or did not arrive. An invalid idempotency key is an error of [`Self::fields`] instead.
    pub async fn of<'r>(request: impl Into<Head<'r>>) -> Result<Self, BodyError> {
        let head = request.into();
        expect_json(head.headers)?;
        let received = receive(head).await?;
        Self::read(head, received).await
    }

    /// As [`Self::of`]. An absent body, which may have any type, is an object without members.
    ///
    /// # Errors
    /// As [`Self::of`].
    pub async fn or_empty<'r>(request: impl Into<Head<'r>>) -> Result<Self, BodyError> {
        let head = request.into();
        let kind = expect_json(head.headers);
        let received = receive(head).await?;
        if received.bytes.is_empty() {
            let Received { key, errors, .. } = received;
            return Ok(Self { key, members: Vec::new(), errors });
        }
        kind?;
        Self::read(head, received).await
    }

    async fn read(head: Head<'_>, received: Received) -> Result<Self, BodyError> {
        let Received { bytes, key, mut errors } = received;
        let is_short = bytes.len() <= MAX_BYTES_AT_ONCE;
        let parse = move || {
            Json::parse(&bytes).map_err(|error| BodyError::MalformedJson(JsonProblem::new(&bytes, &error)))
        };
        let json = if is_short {
            parse()
        } else {
            in_background_for(head.owner(), parse).await.map_err(|error| refusal(&error))?
        };
        if let Json::Object(members) = json? {
            return Ok(Self { key, members, errors });
        }
        errors.refuse(WHOLE, Rule::OBJECT);
        Err(errors.into())
    }
}

fn refusal(error: &StoreError) -> Refusal {
    match error {
        StoreError::Overloaded | StoreError::Unavailable(_) => Refusal::Unavailable,
        StoreError::Failed(_) | StoreError::Corrupt(_) => Refusal::Internal,
    }
}

/// An empty body: no bytes, or an object without members.
pub struct EmptyBody {
    /// The key of the request. `None` unless it is a POST with a key.
    pub key: Option<RequestKey>,
}

impl EmptyBody {
    /// Reads the body of a request.
    ///
    /// # Errors
    /// The body has content or did not arrive, or the idempotency key is invalid.
    pub async fn of<'r>(request: impl Into<Head<'r>>) -> Result<Self, BodyError> {
        let body = JsonBody::or_empty(request).await?;
        body.fields().finish(|| Some(()))?;
        Ok(Self { key: body.key })
    }
}
