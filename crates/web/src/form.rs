//! The fields of a form.

use std::collections::BTreeMap;

use http::header::CONTENT_LENGTH;
use pointbook_http_kernel::{BodyOwner, Refusal};
use pointbook_requests::key_owner_of;
use url::form_urlencoded;

use crate::page::PageError;
use crate::session::is_from_here;
use crate::visit::Visit;

/// The name of the field with the token of the session.
pub(crate) const TOKEN_FIELD: &str = "form";

/// The longest form, in bytes.
const MAX_BYTES: usize = 8 * 1024;
const MAX_FIELDS: usize = 16;

/// Whose body arrives: the member's, or that of one address.
fn owner(visit: &Visit<'_>) -> BodyOwner {
    let name = match &visit.session {
        Some(session) => key_owner_of(session.user_id()),
        None => visit.request.client.ip().map_or_else(String::new, |ip| ip.to_string()),
    };
    BodyOwner::of(visit.served.tenant.id.clone(), name)
}

/// The fields of a form that a page of this server sent.
pub(crate) struct Form(BTreeMap<String, String>);

impl Form {
    /// Reads a form that needs no session.
    ///
    /// # Errors
    /// [`PageError::ForeignForm`] for a form of another site, and errors of the body.
    pub(crate) async fn read(visit: &Visit<'_>) -> Result<Self, PageError> {
        if !is_from_here(visit.request) {
            return Err(PageError::ForeignForm);
        }
        let length =
            visit.request.headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
        if length.is_some_and(|length: usize| length > MAX_BYTES) {
            return Err(PageError::Refused(Refusal::PayloadTooLarge));
        }
        let body = visit.request.body.receive(|| owner(visit)).await.map_err(PageError::Refused)?;
        if body.len() > MAX_BYTES {
            return Err(PageError::Refused(Refusal::PayloadTooLarge));
        }
        Ok(Self(form_urlencoded::parse(&body).into_owned().take(MAX_FIELDS).collect()))
    }

    /// Reads a form of the member's session.
    ///
    /// # Errors
    /// As [`Self::read`], and [`PageError::ForeignForm`] for the form of another session.
    pub(crate) async fn of_session(visit: &Visit<'_>) -> Result<Self, PageError> {
        let session = visit.session()?;
        let form = Self::read(visit).await?;
        let is_own = form.0.get(TOKEN_FIELD).is_some_and(|sent| *sent == session.form_token);
        if is_own { Ok(form) } else { Err(PageError::ForeignForm) }
    }

    /// # Errors
    /// [`PageError::BadRequest`] without the field.
    pub(crate) fn field(&self, name: &str) -> Result<&str, PageError> {
        self.0.get(name).map(String::as_str).ok_or(PageError::BadRequest)
    }
}
