//! The fields of a form.

use http::StatusCode;
use http::header::CONTENT_LENGTH;
use maud::{Markup, html};
use subtle::ConstantTimeEq;
use url::form_urlencoded;

use crate::kernel::{BodyOwner, PageRequest, Refusal};
use crate::pages::cookie::is_from_here;
use crate::pages::multipart::{FormFile, Parts, boundary, parse};
use crate::pages::page::PageError;

/// The name of the field with the token of the session.
pub const TOKEN_FIELD: &str = "form";

/// The hidden field that proves that a form is of this session.
pub fn form_token(token: &str) -> Markup {
    html! { input type="hidden" name=(TOKEN_FIELD) value=(token); }
}

/// The largest form that a page reads.
#[derive(Debug, Clone, Copy)]
pub struct FormLimits {
    pub bytes: usize,
    /// Fields beyond them are ignored. A form with files that has more is refused.
    pub fields: usize,
    /// A form without files may have 0: then the server refuses `multipart/form-data`.
    pub files: usize,
    /// The id of the text that says what to do about a larger one. It names the limit, where a person can do something about it.
    pub too_large: &'static str,
}

impl FormLimits {
    /// The text for forms that no person fills beyond their limit.
    pub const TOO_LARGE: &'static str = "error-too-large-hint";

    fn refuse(self, refusal: Refusal) -> PageError {
        match refusal {
            Refusal::PayloadTooLarge => PageError::Said {
                status: StatusCode::PAYLOAD_TOO_LARGE,
                texts: ["error-too-large", self.too_large],
            },
            refusal => PageError::Refused(refusal),
        }
    }
}

/// The fields of a form that a page of this server sent. Check [`Self::of_session`] before you use any of them.
pub struct Form {
    fields: Vec<(String, String)>,
    files: Vec<(String, FormFile)>,
}

impl Form {
    /// Reads a form. `owner` says whose body arrives.
    ///
    /// # Errors
    /// [`PageError::ForeignForm`] for a form of another site, [`PageError::BadRequest`] for malformed `multipart/form-data`, and errors
    /// of the body.
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
            return Err(limits.refuse(Refusal::PayloadTooLarge));
        }
        let body = request.body.receive(owner).await.map_err(|refusal| limits.refuse(refusal))?;
        if body.len() > limits.bytes {
            return Err(limits.refuse(Refusal::PayloadTooLarge));
        }
        if let Some(boundary) = boundary(request.headers) {
            let parts = if limits.files == 0 { None } else { parse(&body, boundary, limits) };
            let Parts { fields, files } = parts.ok_or(PageError::BadRequest)?;
            return Ok(Self { fields, files });
        }
        let fields = form_urlencoded::parse(&body).into_owned().take(limits.fields).collect();
        Ok(Self { fields, files: Vec::new() })
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

    /// # Errors
    /// 413 when the fields have more bytes than the limit. Files do not count.
    pub fn check_fields(&self, limits: FormLimits) -> Result<(), PageError> {
        let bytes: usize = self.fields.iter().map(|(name, value)| name.len() + value.len()).sum();
        if bytes > limits.bytes { Err(limits.refuse(Refusal::PayloadTooLarge)) } else { Ok(()) }
    }

    pub fn optional(&self, name: &str) -> Option<&str> {
        self.fields.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The file of a field. `None` when the operator chose no file.
    pub fn file(&self, name: &str) -> Option<&FormFile> {
        self.files.iter().find(|(known, _)| known == name).map(|(_, file)| file)
    }

    /// All values of a field that may be there several times.
    pub fn all<'f>(&'f self, name: &'f str) -> impl Iterator<Item = &'f str> {
        self.fields.iter().filter(move |(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}
