//! A request to a page of a shop: the tenant, the member, the language.

use std::sync::Arc;

use http::{HeaderMap, Uri};
use pointbook_access::sessions::{PagesOf, pages_path, tenant_of_segment};
use pointbook_domain::texts::OfferedTexts;
use pointbook_domain::{Timestamp, UserId};
use pointbook_http::KnownPrincipal;
use pointbook_http::kernel::{BodyOwner, PageRequest};
use pointbook_http::pages::{Form, FormLimits, PageError, Words, find_at_host};
use pointbook_http::query_string::decode_segment;
use pointbook_http::rate_limit::count::{Counted, count_request};
use pointbook_http::sender::key_owner_of;
use pointbook_store::{Actor, Context, Origin, ServedTenant};

use crate::session;
use crate::session::{Session, Visitor};
use crate::shared::Shared;

/// Forms of shops have a few short fields.
const FORM: FormLimits =
    FormLimits { bytes: 8 * 1024, fields: 16, files: 0, too_large: FormLimits::TOO_LARGE };

/// A request to a page of a shop.
pub(crate) struct Visit<'r> {
    pub(crate) shared: &'r Shared,
    pub(crate) request: &'r PageRequest<'r, KnownPrincipal>,
    params: matchit::Params<'r, 'r>,
    pub(crate) served: Arc<ServedTenant>,
    /// By the clock of the tenant.
    pub(crate) now: Timestamp,
    /// The path of the shop, such as `/shop/acme`.
    pub(crate) root: String,
    pub(crate) session: Option<Session>,
    /// Why the request is refused before its page is shown: the member sent too many.
    pub(crate) refusal: Option<PageError>,
    pub(crate) words: &'r Words,
    /// The texts of the point history.
    pub(crate) texts: OfferedTexts,
}

impl<'r> Visit<'r> {
    /// Finds the shop, and who is signed in.
    ///
    /// # Errors
    /// [`PageError::NotFound`] without such a shop at this host, and when the store fails.
    pub(crate) async fn begin(
        shared: &'r Shared,
        request: &'r PageRequest<'r, KnownPrincipal>,
        params: matchit::Params<'r, 'r>,
        counted: Counted,
    ) -> Result<Self, PageError> {
        let served = find_shop(shared, request.uri, request.headers).ok_or(PageError::NotFound)?;
        let _ = request.tenant.set(served.name());
        let now = served.tenant.now(shared.service.clock.now());
        let (mut session, mut refusal) = (None, None);
        if let Some(known) = session::authenticated(&served, request, now).await? {
            match count(&served, &known, counted, now) {
                Ok(()) => session = Some(Session::read(&served, known, now).await?),
                Err(error) => refusal = Some(error),
            }
        }
        let texts = shared.texts.of(&served.tenant).choose(request.headers).clone();
        let words = shared.languages.of(&texts);
        let root = pages_path(PagesOf::Shop, &served.name());
        Ok(Self { shared, request, params, served, now, root, session, refusal, words, texts })
    }

    /// The member.
    ///
    /// # Errors
    /// [`PageError::SignedOut`] without a member.
    pub(crate) fn session(&self) -> Result<&Session, PageError> {
        self.session.as_ref().ok_or(PageError::SignedOut)
    }

    /// The context of what the member does.
    pub(crate) fn context<T>(&self) -> Result<Context<T>, PageError> {
        Ok(self.context_of(self.session()?.user_id()))
    }

    /// The context of what a user does.
    pub(crate) fn context_of<T>(&self, user_id: &UserId) -> Context<T> {
        let PageRequest { request_id, client, .. } = self.request;
        let origin =
            Origin { request_id: Some((*request_id).into()), address: client.ip(), system_user: None };
        let actor = Actor::Customer(user_id.clone());
        let bare = Context::new(self.served.clone(), actor, self.now, self.shared.ids.clone());
        Context { origin, ..bare }
    }

    /// The form that was sent, which needs no session.
    ///
    /// # Errors
    /// Those of [`Form::read`].
    pub(crate) async fn form(&self) -> Result<Form, PageError> {
        Form::read(self.request, FORM, || self.body_owner()).await
    }

    /// The form of the session that was sent.
    ///
    /// # Errors
    /// Those of [`Form::read`], [`PageError::SignedOut`], and [`PageError::ForeignForm`] for the form of another session.
    pub(crate) async fn form_of_session(&self) -> Result<Form, PageError> {
        let session = self.session()?;
        self.form().await?.of_session(&session.form_token)
    }

    /// Whose body arrives: the member's, or that of one address.
    fn body_owner(&self) -> BodyOwner {
        let name = match &self.session {
            Some(session) => key_owner_of(session.user_id()),
            None => self.request.client.ip().map_or_else(String::new, |ip| ip.to_string()),
        };
        BodyOwner::of(self.served.tenant.id.clone(), name)
    }

    /// A part of the path, decoded.
    ///
    /// # Errors
    /// [`PageError::NotFound`] when it is no text.
    pub(crate) fn param(&self, name: &str) -> Result<String, PageError> {
        let raw = self.params.get(name).ok_or(PageError::NotFound)?;
        Ok(decode_segment(raw).ok_or(PageError::NotFound)?.into_owned())
    }

    /// A path below the shop.
    pub(crate) fn path(&self, below: &str) -> String {
        format!("{}{below}", self.root)
    }
}

/// Counts the request with those that the member sends to the interface. [`PageError::TooManyRequests`] beyond the limit of the tenant.
fn count(
    served: &ServedTenant,
    visitor: &Visitor,
    counted: Counted,
    now: Timestamp,
) -> Result<(), PageError> {
    let Some(requests) = &visitor.known.requests else { return Ok(()) };
    let tenant = &served.tenant;
    count_request(counted, requests, &tenant.settings, tenant.clock.to_real(now))
        .map_err(|rate| PageError::TooManyRequests { retry_after_seconds: Some(rate.retry_after_seconds) })
}

/// The shop that the path is below, when the tenant has one and is at this host.
pub(crate) fn find_shop(shared: &Shared, uri: &Uri, headers: &HeaderMap) -> Option<Arc<ServedTenant>> {
    let name = tenant_of_segment(uri.path().split('/').nth(2)?)?;
    let directory = shared.service.directory();
    find_at_host(&directory, &name, uri, headers).filter(|served| served.tenant.settings.shop).cloned()
}
