//! The pages of sign-ins that fail.

use http::StatusCode;
use maud::html;
use pointbook_http::kernel::Response;
use pointbook_http::pages::{PageError, error_page};

use crate::console_kit::Visit;
use crate::console_kit::layout::page;
use crate::openid::{OpenId, OpenIdError};

/// Why a person is not signed in.
#[derive(Debug, Clone, Copy)]
pub(super) enum Refusal {
    OpenId(OpenIdError),
    /// The attempt has begun a session before.
    Used,
    /// No operator of the tenant has the address.
    UnknownOperator,
}

/// The heading of a page, and what to do.
type Texts = [&'static str; 2];

const STALE: Texts = ["openid-stale", "openid-stale-hint"];
const DENIED: Texts = ["openid-denied", "openid-denied-hint"];
const UNVERIFIED: Texts = ["openid-unverified", "openid-unverified-hint"];
const UNKNOWN: Texts = ["openid-unknown", "openid-unknown-hint"];
const BUSY: Texts = ["error-busy", "error-busy-hint"];
const FAILED: Texts = ["openid-failed", "openid-failed-hint"];

impl Refusal {
    fn page(self) -> (StatusCode, Texts) {
        match self {
            Self::Used => (StatusCode::BAD_REQUEST, STALE),
            Self::UnknownOperator => (StatusCode::FORBIDDEN, UNKNOWN),
            Self::OpenId(error) => of_openid(error),
        }
    }

    /// A short name for the page and the log, without any text of the issuer.
    fn class(self) -> String {
        match self {
            Self::Used => "used".to_owned(),
            Self::UnknownOperator => "operator".to_owned(),
            Self::OpenId(error) => error.to_string(),
        }
    }
}

fn of_openid(error: OpenIdError) -> (StatusCode, Texts) {
    match error {
        OpenIdError::Callback | OpenIdError::State | OpenIdError::Expired => (StatusCode::BAD_REQUEST, STALE),
        OpenIdError::Denied => (StatusCode::FORBIDDEN, DENIED),
        OpenIdError::ClaimEmail | OpenIdError::ClaimEmailVerified => (StatusCode::FORBIDDEN, UNVERIFIED),
        OpenIdError::Busy => (StatusCode::SERVICE_UNAVAILABLE, BUSY),
        OpenIdError::Refused
        | OpenIdError::OtherIssuer
        | OpenIdError::Unreachable
        | OpenIdError::Status
        | OpenIdError::MediaType
        | OpenIdError::TooLarge
        | OpenIdError::Json
        | OpenIdError::MetadataIssuer
        | OpenIdError::MetadataEndpoint
        | OpenIdError::MetadataMethod
        | OpenIdError::Token
        | OpenIdError::IdToken
        | OpenIdError::ClaimIssuer
        | OpenIdError::ClaimAudience
        | OpenIdError::ClaimExpiry
        | OpenIdError::ClaimIssuedAt
        | OpenIdError::ClaimNonce
        | OpenIdError::ClaimSubject => (StatusCode::BAD_GATEWAY, FAILED),
    }
}

/// The page of a refusal, with the way back. Writes a line to the log.
pub(super) fn refuse(visit: &Visit<'_>, openid: &OpenId, refusal: Refusal) -> Response {
    let (status, texts) = refusal.page();
    let (class, words) = (refusal.class(), visit.words);
    let (tenant, request_id) = (visit.served.name(), visit.request.request_id);
    if status.is_server_error() {
        tracing::warn!(%tenant, request_id, class, "operator not signed in by OpenID Connect");
    } else {
        tracing::info!(%tenant, request_id, class, "operator not signed in by OpenID Connect");
    }
    let [heading, hint] = texts;
    let content = html! {
        p { (words.with(hint, "issuer", openid.name())) }
        p { small { (words.with("openid-reason", "name", class)) } }
        p { a .button href=(visit.path("/sign-in")) { (words.say("openid-back")) } }
    };
    let markup = page(visit, "none", &words.say(heading), &content);
    error_page(&words.content_language, markup, PageError::Said { status, texts })
}

/// The error of a callback in a browser that has begun no attempt.
pub(super) fn error_without_attempt() -> PageError {
    tracing::info!(class = "attempt", "operator not signed in by OpenID Connect");
    PageError::Said { status: StatusCode::BAD_REQUEST, texts: STALE }
}
