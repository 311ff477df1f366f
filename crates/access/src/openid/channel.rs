//! Requests to the issuer, each with a bound for its time and its response.

use std::sync::Arc;
use std::time::Duration;

use ureq::http::Request;
use ureq::http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE};
use ureq::tls::{Certificate, RootCerts, TlsConfig};
use ureq::{Agent, Body};

use crate::openid::OpenIdError;
use crate::openid::members::Members;

const MAX_RESPONSE_BYTES: u64 = 64 * 1024;

const JSON: &str = "application/json";
const FORM: &str = "application/x-www-form-urlencoded";
const USER_AGENT: &str = concat!("pointbook/", env!("CARGO_PKG_VERSION"));

/// A request to the issuer.
pub(crate) struct Outgoing {
    pub(crate) url: String,
    /// The fields of a form, which makes it a POST.
    pub(crate) form: Option<String>,
    pub(crate) authorization: Option<String>,
}

/// The connections to the issuer. It follows no redirects, as the form has a secret, and uses no proxy of the environment.
#[derive(Clone)]
pub(crate) struct Channel(Agent);

impl Channel {
    /// `timeout` is for a whole request. With TLS, it trusts the root certificates of the system.
    pub(crate) fn new(timeout: Duration, has_tls: bool) -> Self {
        let mut config = Agent::config_builder()
            .proxy(None)
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .max_idle_connections(2)
            .user_agent(USER_AGENT)
            .timeout_global(Some(timeout));
        if has_tls {
            let provider = Arc::new(rustls::crypto::ring::default_provider());
            let found = rustls_native_certs::load_native_certs().certs;
            let roots: Vec<_> = found.iter().map(|found| Certificate::from_der(found).to_owned()).collect();
            let tls = TlsConfig::builder()
                .unversioned_rustls_crypto_provider(provider)
                .root_certs(RootCerts::new_with_certs(&roots));
            config = config.tls_config(tls.build()).https_only(true);
        }
        Self(config.build().new_agent())
    }

    /// Sends a request and reads the JSON object of its response. Blocks until then.
    pub(crate) fn send(&self, outgoing: Outgoing) -> Result<Members, OpenIdError> {
        let Outgoing { url, form, authorization } = outgoing;
        let mut request = Request::builder().uri(url).header(ACCEPT, JSON);
        if let Some(authorization) = authorization {
            request = request.header(AUTHORIZATION, authorization);
        }
        let sent = match form {
            Some(form) => {
                let request = request.method("POST").header(CONTENT_TYPE, FORM).body(form);
                self.0.run(request.map_err(|_| OpenIdError::Unreachable)?)
            }
            None => self.0.run(request.body(()).map_err(|_| OpenIdError::Unreachable)?),
        };
        let (head, mut body) = sent.map_err(|error| class(&error))?.into_parts();
        if head.status.as_u16() != 200 {
            return Err(OpenIdError::Status);
        }
        let media_type = head.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
        if !media_type.is_some_and(is_json) {
            return Err(OpenIdError::MediaType);
        }
        Members::parse(&read(&mut body)?).ok_or(OpenIdError::Json)
    }
}

fn read(body: &mut Body) -> Result<Vec<u8>, OpenIdError> {
    let read = body.with_config().limit(MAX_RESPONSE_BYTES).read_to_vec();
    read.map_err(|error| class(&error))
}

fn class(error: &ureq::Error) -> OpenIdError {
    match error {
        ureq::Error::BodyExceedsLimit(_) => OpenIdError::TooLarge,
        _ => OpenIdError::Unreachable,
    }
}

/// Parameters, such as a character set, are ignored.
fn is_json(media_type: &str) -> bool {
    media_type.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case(JSON))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_json_is_json() {
        for good in ["application/json", "Application/JSON; charset=utf-8"] {
            assert!(is_json(good), "{good}");
        }
        for bad in
            ["", "text/html", "application/jwt", "application/problem+json", "text/plain; application/json"]
        {
            assert!(!is_json(bad), "{bad}");
        }
    }
}
