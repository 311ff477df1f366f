//! A request to a page of the console: the tenant, the operator, the language.

use std::sync::Arc;

use http::{HeaderMap, Method, Uri};
use pointbook_domain::id::MAX_ID_CHARS;
use pointbook_domain::zones::timestamp_text::parse_local;
use pointbook_domain::{
    Day, Environment, Operator, OperatorSession, PageNumber, PageRequest as ListPage, PageSize, PageWindow,
    TenantName, Timestamp,
};
use pointbook_http::KnownPrincipal;
use pointbook_http::kernel::{BodyOwner, PageRequest, Response};
use pointbook_http::pages::{Form, FormLimits, PageError, SessionCookie, Words, find_at_host};
use pointbook_store::{Context, Origin, ServedTenant};
use url::form_urlencoded;

use crate::console_kit::layout::SAID;
use crate::console_kit::navigation::{Counts, KnownCounts};
use crate::console_kit::page_spec::{Access, FORM, PageSpec};
use crate::console_kit::path_part::id_of_segment;
use crate::console_kit::shared::Shared;
use crate::operators::known::KnownOperators;
use crate::sessions::{
    PagesOf, SESSION_SECONDS, find_operator_session, form_token, note_session_use, operator_actor,
    pages_path, signed_token, tenant_of_segment, verified_token,
};

/// The form of a visitor who is not signed in has a link.
const SIGN_IN: FormLimits =
    FormLimits { bytes: 8 * 1024, fields: 16, files: 0, too_large: FormLimits::TOO_LARGE };

/// The kind of the cookie of an operator's session.
pub const COOKIE_KIND: &str = "console";

/// How long after signing in an operator may give and take rights, in seconds: 15 minutes.
const RECENT_SECONDS: u32 = 900;

/// The parameter with the number of a page of a list.
const PAGE: &str = "page";

/// A request to a page of the console of a tenant.
pub struct Visit<'r> {
    pub shared: &'r Shared,
    pub request: &'r PageRequest<'r, KnownPrincipal>,
    params: matchit::Params<'r, 'r>,
    pub served: Arc<ServedTenant>,
    /// `None` at an unknown path, and when the issuer sends the browser back.
    page: Option<&'static PageSpec>,
    /// By the clock of the tenant.
    pub now: Timestamp,
    /// The path of the console of the tenant, such as `/console/acme`.
    pub root: String,
    pub signed_in: Option<SignedIn>,
    /// What the sections have, for pages that show them.
    pub counts: Counts,
    /// The other consoles to which the frame leads: that of the other environment, and those in which this browser has a session.
    pub others: Vec<Arc<ServedTenant>>,
    pub words: &'r Words,
}

/// The operator who is signed in.
pub struct SignedIn {
    pub operator: Operator,
    pub session: OperatorSession,
    /// Proves that a form is of this session.
    pub form_token: String,
}

impl<'r> Visit<'r> {
    /// Finds the tenant of the path, and who is signed in.
    ///
    /// # Errors
    /// [`PageError::NotFound`] without such a tenant with operators at this host, and when the store fails.
    pub async fn begin(
        shared: &'r Shared,
        request: &'r PageRequest<'r, KnownPrincipal>,
        params: matchit::Params<'r, 'r>,
        page: Option<&'static PageSpec>,
    ) -> Result<Self, PageError> {
        let served = find_tenant(shared, request.uri, request.headers).ok_or(PageError::NotFound)?;
        Ok(Self { params, ..Self::of_tenant(shared, request, page, served).await? })
    }

    /// Finds who is signed in to the console of this tenant, whose name may be elsewhere than in the path.
    ///
    /// # Errors
    /// [`PageError::NotFound`] when the tenant has no operators, and when the store fails.
    pub async fn of_tenant(
        shared: &'r Shared,
        request: &'r PageRequest<'r, KnownPrincipal>,
        page: Option<&'static PageSpec>,
        served: Arc<ServedTenant>,
    ) -> Result<Self, PageError> {
        let _ = request.tenant.set(served.name());
        // Sessions and links last in real time: a virtual clock may be set months ahead.
        let signed_in = sign_in(shared, &served, request.headers).await?;
        if let Some(SignedIn { operator, session, .. }) = &signed_in {
            let _ = request.operator.set(operator.id.clone());
            note_session_use(&served, session, shared.service.clock.now());
        }
        if signed_in.is_none() && !served.state::<KnownOperators>().are_some(&*served.data).await? {
            return Err(PageError::NotFound);
        }
        let now = served.tenant.now(shared.service.clock.now());
        let words = shared.languages.choose_or(request.headers, &served.tenant.locale);
        let params = matchit::Params::default();
        let root = pages_path(PagesOf::Console, &served.name());
        let (mut counts, mut others) = (Counts::new(), Vec::new());
        if signed_in.is_some() {
            let known = served.state::<KnownCounts>();
            counts = known.get(&shared.counted, &served, shared.service.clock.now()).await;
            // What this request changes shows on the next page.
            if request.method == Method::POST {
                known.forget();
            }
            others = other_consoles(shared, request, &served).await;
        }
        Ok(Self { shared, request, params, served, page, now, root, signed_in, counts, others, words })
    }

    /// The operator.
    ///
    /// # Errors
    /// [`PageError::SignedOut`] without one.
    pub fn signed_in(&self) -> Result<&SignedIn, PageError> {
        self.signed_in.as_ref().ok_or(PageError::SignedOut)
    }

    /// Whether the sign-in is so recent that the operator may give and take rights. Always without an issuer: a new one-time link for
    /// each such change would only teach people to make links.
    ///
    /// # Errors
    /// [`PageError::SignedOut`] without an operator.
    pub fn is_recent(&self) -> Result<bool, PageError> {
        let recent_until = self.signed_in()?.session.created_at.plus_seconds(RECENT_SECONDS);
        Ok(self.shared.entrance.openid.is_none() || self.shared.service.clock.now() < recent_until)
    }

    /// The context of what the operator does.
    ///
    /// # Errors
    /// [`PageError::SignedOut`] without an operator.
    pub fn context<T>(&self) -> Result<Context<T>, PageError> {
        Ok(self.context_of(&self.signed_in()?.operator))
    }

    pub fn context_of<T>(&self, operator: &Operator) -> Context<T> {
        let PageRequest { request_id, client, .. } = self.request;
        let origin =
            Origin { request_id: Some((*request_id).into()), address: client.ip(), system_user: None };
        let actor = operator_actor(operator);
        let bare = Context::new(self.served.clone(), actor, self.now, self.shared.ids.clone());
        Context { origin, clock: Some(self.shared.service.clock.clone()), ..bare }
    }

    /// The form that was sent, which needs no session.
    ///
    /// # Errors
    /// Those of [`Form::read`].
    pub async fn form(&self) -> Result<Form, PageError> {
        Form::read(self.request, SIGN_IN, || self.body_owner()).await
    }

    /// The form of the session that was sent. Its body may arrive slowly, so session and role are read once more.
    ///
    /// # Errors
    /// Those of [`Form::read`], [`PageError::SignedOut`], [`PageError::Forbidden`] when the role does not allow the page any more, and
    /// [`PageError::ForeignForm`] for the form of another session.
    pub async fn form_of_session(&self) -> Result<Form, PageError> {
        let signed_in = self.signed_in()?;
        let form =
            Form::read(self.request, self.page.map_or(FORM, |page| page.form), || self.body_owner()).await?;
        let again = sign_in(self.shared, &self.served, self.request.headers).await?;
        let access = self.page.map_or(Access::Anyone, |page| page.access);
        if !access.admits(again.ok_or(PageError::SignedOut)?.operator.role) {
            return Err(PageError::Forbidden);
        }
        form.of_session(&signed_in.form_token)
    }

    fn body_owner(&self) -> BodyOwner {
        let name = match &self.signed_in {
            Some(signed_in) => format!("operator:{}", signed_in.operator.id),
            None => self.request.client.ip().map_or_else(String::new, |ip| ip.to_string()),
        };
        BodyOwner::of(self.served.tenant.id.clone(), name)
    }

    /// A part of the path, decoded.
    ///
    /// # Errors
    /// [`PageError::NotFound`] when it is no text.
    pub fn param(&self, name: &str) -> Result<String, PageError> {
        self.params.get(name).and_then(id_of_segment).ok_or(PageError::NotFound)
    }

    /// A parameter of the query string; empty when it is missing.
    pub fn query(&self, name: &str) -> String {
        let query = self.request.uri.query().unwrap_or_default();
        let mut pairs = form_urlencoded::parse(query.as_bytes());
        // A database cannot look for U+0000.
        pairs.find(|(known, _)| known == name).map(|(_, value)| value.replace('\0', "")).unwrap_or_default()
    }

    /// What a list shall contain: a parameter of the query string without spaces around it, as long as an id can be.
    pub fn searched(&self, name: &str) -> String {
        let text = self.query(name);
        text.trim().chars().take(MAX_ID_CHARS).collect()
    }

    /// As [`Self::searched`], with the words [`single_spaced`]: for what people type to find a title or a part of an id.
    pub fn searched_words(&self, name: &str) -> String {
        single_spaced(&self.searched(name))
    }

    /// The page of a list that the address asks for: `page`, of this many items. The first one when it is no number.
    pub fn page(&self, items: u32) -> ListPage {
        let number = self.query(PAGE).parse().ok().and_then(PageNumber::new).unwrap_or(PageNumber::FIRST);
        ListPage { number, size: PageSize::new(items).unwrap_or(PageSize::DEFAULT) }
    }

    /// As [`Self::page`] of a list that is in memory: its window, and the items in it. Nothing beyond the last page.
    pub fn page_of<'a, T>(&self, all: &'a [T], items: u32) -> (PageWindow, &'a [T]) {
        let window = self.page(items).window(u64::try_from(all.len()).unwrap_or(u64::MAX));
        let index = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        (window, all.get(index(window.from.saturating_sub(1))..index(window.to)).unwrap_or_default())
    }

    /// The address of this page with these parameters and without the number of a page, which a pager adds.
    pub fn address_of_pages(&self, below: &str, parameters: &[(&str, &str)]) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        let given = parameters.iter().filter(|(_, value)| !value.is_empty());
        query.extend_pairs(given);
        let query = query.finish();
        let joint = if query.is_empty() { "" } else { "&" };
        format!("{}?{query}{joint}{PAGE}=", self.path(below))
    }

    /// The address of a page with the parameters of this one, but another value of one of them. An empty value removes it. An address of the
    /// same page is short: a list has many.
    pub fn address_with(&self, below: &str, name: &str, value: &str) -> String {
        let query = self.request.uri.query().unwrap_or_default();
        let others =
            form_urlencoded::parse(query.as_bytes()).filter(|(known, _)| known != name && known != SAID);
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(others);
        if !value.is_empty() {
            query.append_pair(name, value);
        }
        let path = self.path(below);
        let path = if self.request.uri.path() == path { "" } else { &path };
        format!("{path}?{}", query.finish())
    }

    /// When a day begins in the zone of the tenant. `None` at the end of the calendar.
    pub fn midnight(&self, day: Day) -> Option<Timestamp> {
        parse_local(&format!("{day}T00:00"), &self.served.zone())
    }

    /// A path below the console of the tenant.
    pub fn path(&self, below: &str) -> String {
        format!("{}{below}", self.root)
    }
}

/// The words of a text with one ASCII space between them. Japanese keyboards type U+3000 between words, and pasted text has several spaces.
pub fn single_spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Lets the browser keep the session with this token.
///
/// # Errors
/// When the store fails to read the secret of the tenant.
pub async fn set_cookie(visit: &Visit<'_>, token: &str, response: &mut Response) -> Result<(), PageError> {
    let secret = visit.served.secrets.get(visit.now).await?;
    cookie(visit.shared, &visit.served).set(&signed_token(&secret, token), SESSION_SECONDS, response);
    Ok(())
}

/// The cookie of the session.
pub fn cookie(shared: &Shared, served: &ServedTenant) -> SessionCookie {
    SessionCookie::of(COOKIE_KIND, &served.name(), shared.entrance.origin.is_secure(&served.tenant))
}

/// The operator of the cookie. `None` without a cookie, and when its session has ended.
pub async fn sign_in(
    shared: &Shared,
    served: &ServedTenant,
    headers: &HeaderMap,
) -> Result<Option<SignedIn>, PageError> {
    let now = shared.service.clock.now();
    let Some(cookie) = cookie(shared, served).value(headers) else { return Ok(None) };
    let secret = served.secrets.get(now).await?;
    let Some(token) = verified_token(&secret, cookie) else { return Ok(None) };
    let Some((operator, session)) = find_operator_session(&*served.data, token, now).await? else {
        return Ok(None);
    };
    let form_token = form_token(&secret, token.as_bytes());
    Ok(Some(SignedIn { operator, session, form_token }))
}

/// The console of the other environment of a tenant, when it has operators, and those in which the browser has a session, at this host.
async fn other_consoles(
    shared: &Shared,
    request: &PageRequest<'_, KnownPrincipal>,
    served: &ServedTenant,
) -> Vec<Arc<ServedTenant>> {
    let own = served.name();
    let environment = match own.environment {
        Environment::Production => Environment::Staging,
        Environment::Staging => Environment::Production,
    };
    let mut names = SessionCookie::tenants(COOKIE_KIND, request.headers);
    names.insert(TenantName { slug: own.slug.clone(), environment });
    names.remove(&own);
    let mut others = Vec::new();
    for name in names {
        let Some(other) = find_named(shared, &name, request.uri, request.headers) else { continue };
        // A tenant whose database does not answer is left out.
        if other.state::<KnownOperators>().are_some(&*other.data).await.is_ok_and(|are_some| are_some) {
            others.push(other);
        }
    }
    others
}

/// The tenant whose console the path is below, when it is at this host.
pub fn find_tenant(shared: &Shared, uri: &Uri, headers: &HeaderMap) -> Option<Arc<ServedTenant>> {
    find_named(shared, &tenant_of_segment(uri.path().split('/').nth(2)?)?, uri, headers)
}

/// The tenant with this name, when its console is at the host of the request. A console with its own listener is at all hosts there.
pub fn find_named(
    shared: &Shared,
    name: &TenantName,
    uri: &Uri,
    headers: &HeaderMap,
) -> Option<Arc<ServedTenant>> {
    let directory = shared.service.directory();
    if shared.entrance.origin.is_separate() {
        return directory.find(name).cloned();
    }
    find_at_host(&directory, name, uri, headers).cloned()
}
