//! The fields of a form.

use std::collections::BTreeMap;

use pointbook_http_kernel::BodyOwner;
use url::form_urlencoded;

use crate::page::PageError;
use crate::session::is_from_here;
use crate::visit::Visit;

/// The name of the field with the token of the session.
pub(crate) const TOKEN_FIELD: &str = "form";

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
        let owner = || {
            let member = visit.session.as_ref().map(|session| session.user_id().to_string());
            BodyOwner::of(visit.served.tenant.id.clone(), member.unwrap_or_default())
        };
        let body = visit.request.body.receive(owner).await.map_err(PageError::Body)?;
        Ok(Self(form_urlencoded::parse(&body).into_owned().collect()))
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
