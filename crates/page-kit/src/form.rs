//! The fields of a form.

use http::header::CONTENT_LENGTH;
use maud::{Markup, html};
use pointbook_http_kernel::{BodyOwner, PageRequest, Refusal};
use subtle::ConstantTimeEq;
use url::form_urlencoded;

use crate::cookie::is_from_here;
use crate::page::PageError;

/// The name of the field with the token of the session.
pub const TOKEN_FIELD: &str = "form";

/// The hidden field that proves that a form is of this session.
pub fn form_token(token: &str) -> Markup {
    html! { input type="hidden" name=(TOKEN_FIELD) value=(token); }
}

/// The largest form that a room reads.
#[derive(Debug, Clone, Copy)]
pub struct FormLimits {
    pub bytes: usize,
    /// Fields beyond them are ignored.
    pub fields: usize,
}

/// The fields of a form that a page of this server sent.
pub struct Form(Vec<(String, String)>);

impl Form {
    /// Reads a form. `owner` says whose body arrives.
    ///
    /// # Errors
    /// [`PageError::ForeignForm`] for a form of another site, and errors of the body.
    pub async fn read<K>(
        request: &PageRequest<'_, K>,
        limits: FormLimits,
        owner: impl FnOnce() -> BodyOwner,
    ) -> Result<Self, PageError> {
        if !is_from_here(request) {
            return Err(PageError::ForeignForm);
        }
        let length =
            request.headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
        if length.is_some_and(|length: usize| length > limits.bytes) {
            return Err(PageError::Refused(Refusal::PayloadTooLarge));
        }
        let body = request.body.receive(owner).await.map_err(PageError::Refused)?;
        if body.len() > limits.bytes {
            return Err(PageError::Refused(Refusal::PayloadTooLarge));
        }
        Ok(Self(form_urlencoded::parse(&body).into_owned().take(limits.fields).collect()))
    }

    /// Refuses the form of another session.
    ///
    /// # Errors
    /// [`PageError::ForeignForm`].
    pub fn of_session(self, token: &str) -> Result<Self, PageError> {
        let sent = self.optional(TOKEN_FIELD).unwrap_or_default();
        let is_own: bool = sent.as_bytes().ct_eq(token.as_bytes()).into();
        if is_own { Ok(self) } else { Err(PageError::ForeignForm) }
    }

    /// # Errors
    /// [`PageError::BadRequest`] without the field.
    pub fn field(&self, name: &str) -> Result<&str, PageError> {
        self.optional(name).ok_or(PageError::BadRequest)
    }

    pub fn optional(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// All values of a field that may be there several times.
    pub fn all<'f>(&'f self, name: &'f str) -> impl Iterator<Item = &'f str> {
        self.0.iter().filter(move |(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}
