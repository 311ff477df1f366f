//! The callback: the issuer has sent the browser back.

use std::sync::Arc;

use pointbook_domain::Email;
use pointbook_http::KnownPrincipal;
use pointbook_http::kernel::{PageRequest, Response};
use pointbook_http::pages::{PageError, error_outside, see_other};
use pointbook_store::ServedTenant;

use super::attempt_cookie::{StartedAttempt, take};
use super::refusal::{Refusal, error_without_attempt, refuse};
use super::{network, now_seconds, redirect_uri};
use crate::console_kit::layout::STYLESHEETS;
use crate::console_kit::visit::{find_named, set_cookie};
use crate::console_kit::{Shared, Visit, layout};
use crate::openid::{Callback, OpenId, OpenIdError, Requester};
use crate::sessions::{
    EndOperatorSession, OperatorEntry, OperatorSignIn, SignInMeans, find_operator_by_email,
    open_operator_session,
};
use crate::tokens::issue::token_text;

/// Signs the operator in, or says why not. Then the attempt is taken from the browser, unless the callback is of another attempt: each site
/// can send a browser here.
pub async fn callback(
    shared: &Shared,
    openid: &OpenId,
    request: &PageRequest<'_, KnownPrincipal>,
) -> Response {
    let (mut response, is_of_attempt) = if let Some((begun, served)) = find_attempt(shared, request) {
        answer(shared, openid, request, &begun, served).await
    } else {
        (error_outside(shared.languages.choose(request.headers), STYLESHEETS, error_without_attempt()), true)
    };
    if is_of_attempt {
        take(request.headers, &mut response);
    }
    response
}

/// The attempt of the browser, with its tenant at this host. A tenant with TLS takes only a cookie that came by TLS.
fn find_attempt(
    shared: &Shared,
    request: &PageRequest<'_, KnownPrincipal>,
) -> Option<(StartedAttempt, Arc<ServedTenant>)> {
    let begun = StartedAttempt::read(request.headers)?;
    let served = find_named(shared, &begun.tenant()?, request.uri, request.headers)?;
    let is_secure = shared.entrance.origin.is_secure(&served.tenant);
    (begun.is_secure() == is_secure).then_some((begun, served))
}

/// The response, and whether the callback is of the attempt.
async fn answer(
    shared: &Shared,
    openid: &OpenId,
    request: &PageRequest<'_, KnownPrincipal>,
    begun: &StartedAttempt,
    served: Arc<ServedTenant>,
) -> (Response, bool) {
    let visit = match Visit::of_tenant(shared, request, None, served).await {
        Ok(visit) => visit,
        Err(error) => {
            let words = shared.languages.choose(request.headers);
            return (error_outside(words, STYLESHEETS, error), true);
        }
    };
    match sign_in(&visit, openid, begun).await {
        Ok(Ok(response)) => (response, true),
        Ok(Err(refusal)) => {
            let is_of_attempt =
                !matches!(refusal, Refusal::OpenId(OpenIdError::State | OpenIdError::Callback));
            (refuse(&visit, openid, refusal), is_of_attempt)
        }
        Err(error) => (layout::error(&visit, error), true),
    }
}

async fn sign_in(
    visit: &Visit<'_>,
    openid: &OpenId,
    begun: &StartedAttempt,
) -> Result<Result<Response, Refusal>, PageError> {
    let email = match verified_email(visit, openid, begun).await {
        Ok(email) => email,
        Err(error) => return Ok(Err(Refusal::OpenId(error))),
    };
    // An address that no operator can have is unknown, too.
    let Ok(email) = Email::parse(&email) else { return Ok(Err(Refusal::UnknownOperator)) };
    let Some(operator) = find_operator_by_email(&*visit.served.data, &email).await? else {
        return Ok(Err(Refusal::UnknownOperator));
    };
    let token = token_text(&visit.shared.secrets.secret());
    let entry = OperatorEntry {
        operator_id: operator.id.clone(),
        means: SignInMeans::OpenId,
        nonce: begun.attempt().id(),
    };
    let real_now = visit.shared.service.clock.now();
    match open_operator_session(&visit.context_of(&operator), entry, &token, real_now).await? {
        OperatorSignIn::Begun => {}
        OperatorSignIn::Used => return Ok(Err(Refusal::Used)),
        OperatorSignIn::Unknown => return Ok(Err(Refusal::UnknownOperator)),
    }
    if let Some(old) = &visit.signed_in {
        visit.context::<()>()?.write(EndOperatorSession(old.session.id)).await?;
    }
    // Always the console of the tenant: no request chooses where the browser goes.
    let mut response = see_other(&visit.root);
    set_cookie(visit, &token, &mut response).await?;
    Ok(Ok(response))
}

async fn verified_email(
    visit: &Visit<'_>,
    openid: &OpenId,
    begun: &StartedAttempt,
) -> Result<String, OpenIdError> {
    let callback = Callback::parse(visit.request.uri.query().unwrap_or_default())?;
    let address = network(visit);
    let asked = Requester { address: &address, now_seconds: now_seconds(visit.shared) };
    let identity = openid.identity(&begun.attempt(), callback, &redirect_uri(visit), asked).await?;
    Ok(identity.email)
}
