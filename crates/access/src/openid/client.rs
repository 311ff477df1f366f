//! The client: it keeps the metadata of the issuer for some minutes, and bounds the requests to it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use data_encoding::BASE64;
use tokio::sync::Semaphore;
use url::form_urlencoded::{Serializer, byte_serialize};

use crate::openid::attempt::Attempt;
use crate::openid::callback::Callback;
use crate::openid::channel::{Channel, Outgoing};
use crate::openid::id_token::{Expected, Identity};
use crate::openid::members::Members;
use crate::openid::metadata::{ClientProof, Metadata};
use crate::openid::rate::Rate;
use crate::openid::{Issuer, OpenIdError, id_token};

/// How many requests to the issuer run at the same time.
const MAX_CONCURRENT_REQUESTS: usize = 8;

/// How long metadata counts, in seconds.
const METADATA_SECONDS: i64 = 300;

/// The issuer, and how it knows this client.
pub struct Settings {
    pub issuer: Issuer,
    pub client_id: String,
    /// `None` for a public client.
    pub client_secret: Option<String>,
    /// What people call the issuer.
    pub name: String,
    /// For one request to the issuer. A sign-in needs up to two.
    pub timeout: Duration,
}

/// For whom a request to the issuer is, and when.
#[derive(Debug, Clone, Copy)]
pub struct Requester<'a> {
    /// The address or the network of the browser. Requests of one are counted together.
    pub address: &'a str,
    /// By the real clock, in seconds since 1970.
    pub now_seconds: i64,
}

/// What the issuer asks of a person who is signed in there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Prompt {
    /// What the issuer wants: often nothing.
    Usual,
    /// To sign in there once more.
    Login,
}

/// The requests of this minute. Each kind has its own limit: while the metadata cannot be read, those who try to sign in leave the exchange
/// of codes to others, and the other way round.
#[derive(Default)]
struct Rates {
    metadata: Rate,
    exchange: Rate,
}

/// The client of one issuer.
pub struct OpenId {
    settings: Settings,
    channel: Channel,
    /// With the time of its request.
    metadata: Mutex<Option<(i64, Arc<Metadata>)>>,
    permits: Arc<Semaphore>,
    rates: Mutex<Rates>,
}

impl OpenId {
    /// Sends nothing yet. For an issuer with TLS, it reads the root certificates of the system.
    pub fn new(settings: Settings) -> Self {
        let channel = Channel::new(settings.timeout, !settings.issuer.is_local());
        let permits = Arc::new(Semaphore::new(MAX_CONCURRENT_REQUESTS));
        Self { settings, channel, metadata: Mutex::default(), permits, rates: Mutex::default() }
    }

    /// What people call the issuer.
    pub fn name(&self) -> &str {
        &self.settings.name
    }

    /// The URL at which the issuer asks the person. `redirect_uri` is where it sends the browser back.
    ///
    /// # Errors
    /// When the metadata of the issuer cannot be read, or is not usable.
    pub async fn authorization_url(
        &self,
        attempt: &Attempt,
        redirect_uri: &str,
        prompt: Prompt,
        asked: Requester<'_>,
    ) -> Result<String, OpenIdError> {
        let metadata = self.metadata(asked).await?;
        Ok(metadata.authorization_url(attempt, &self.settings.client_id, redirect_uri, prompt))
    }

    /// Who the person is: exchanges the code of the callback and checks the ID token. The caller uses an attempt once.
    ///
    /// # Errors
    /// When the callback is not of the attempt, and when the issuer does not say who the person is.
    pub async fn identity(
        &self,
        attempt: &Attempt,
        callback: Callback,
        redirect_uri: &str,
        asked: Requester<'_>,
    ) -> Result<Identity, OpenIdError> {
        callback.check_state(attempt)?;
        if !attempt.is_live(asked.now_seconds) {
            return Err(OpenIdError::Expired);
        }
        let issuer = &self.settings.issuer;
        if callback.iss.as_deref().is_some_and(|named| named != issuer.as_str()) {
            return Err(OpenIdError::OtherIssuer);
        }
        match callback.error.as_deref() {
            None => {}
            Some("access_denied") => return Err(OpenIdError::Denied),
            Some(_) => return Err(OpenIdError::Refused),
        }
        let code = callback.code.filter(|code| !code.is_empty()).ok_or(OpenIdError::Callback)?;
        let metadata = self.metadata(asked).await?;
        if metadata.promises_iss && callback.iss.is_none() {
            return Err(OpenIdError::OtherIssuer);
        }
        let exchange = self.exchange(&metadata, &code, attempt, redirect_uri);
        let answer = self.request(exchange, asked).await?;
        let is_bearer = answer.text("token_type").is_some_and(|kind| kind.eq_ignore_ascii_case("bearer"));
        let token = answer.text("id_token").filter(|_| is_bearer).ok_or(OpenIdError::Token)?;
        let (client_id, nonce) = (&*self.settings.client_id, &*attempt.nonce());
        id_token::read(token, &Expected { issuer, client_id, nonce, now_seconds: asked.now_seconds })
    }

    /// Reads the metadata of the issuer and checks it.
    ///
    /// # Errors
    /// When the metadata cannot be read, or is not usable.
    pub async fn probe(&self, asked: Requester<'_>) -> Result<(), OpenIdError> {
        self.metadata(asked).await.map(drop)
    }

    /// The form with which the token endpoint exchanges the code.
    fn exchange(&self, metadata: &Metadata, code: &str, attempt: &Attempt, redirect_uri: &str) -> Outgoing {
        let Settings { client_id, client_secret, .. } = &self.settings;
        let secret = client_secret.as_deref().unwrap_or_default();
        let mut form = Serializer::new(String::new());
        form.append_pair("grant_type", "authorization_code")
            .append_pair("code", code)
            .append_pair("redirect_uri", redirect_uri)
            .append_pair("code_verifier", &attempt.verifier());
        let mut authorization = None;
        match metadata.proof {
            ClientProof::Basic => authorization = Some(basic(client_id, secret)),
            ClientProof::Post => {
                form.append_pair("client_id", client_id).append_pair("client_secret", secret);
            }
            ClientProof::Public => {
                form.append_pair("client_id", client_id);
            }
        }
        Outgoing { url: metadata.token_endpoint.to_string(), form: Some(form.finish()), authorization }
    }

    async fn metadata(&self, asked: Requester<'_>) -> Result<Arc<Metadata>, OpenIdError> {
        if let Some((read_at, metadata)) = &*lock(&self.metadata) {
            let age = asked.now_seconds.saturating_sub(*read_at);
            if (0..METADATA_SECONDS).contains(&age) {
                return Ok(metadata.clone());
            }
        }
        let Settings { issuer, client_secret, .. } = &self.settings;
        let request = Outgoing { url: issuer.discovery_url(), form: None, authorization: None };
        let members = self.request(request, asked).await?;
        let metadata = Arc::new(Metadata::read(&members, issuer, client_secret.is_some())?);
        *lock(&self.metadata) = Some((asked.now_seconds, metadata.clone()));
        Ok(metadata)
    }

    /// Sends a request on a blocking thread. The thread keeps the permit, also when the person does not wait any more.
    #[expect(clippy::disallowed_methods, reason = "a request to the issuer waits for another server")]
    async fn request(&self, outgoing: Outgoing, asked: Requester<'_>) -> Result<Members, OpenIdError> {
        let permit = self.permits.clone().try_acquire_owned().map_err(|_| OpenIdError::Busy)?;
        {
            let rates = &mut *lock(&self.rates);
            let rate = if outgoing.form.is_some() { &mut rates.exchange } else { &mut rates.metadata };
            rate.admit(asked.address, asked.now_seconds)?;
        }
        let channel = self.channel.clone();
        let sent = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            channel.send(outgoing)
        });
        sent.await.map_err(|_| OpenIdError::Unreachable)?
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Both parts are encoded as in a form before they are joined (RFC 6749, section 2.3.1).
fn basic(client_id: &str, secret: &str) -> String {
    let encoded = |text: &str| byte_serialize(text.as_bytes()).collect::<String>();
    format!("Basic {}", BASE64.encode(format!("{}:{}", encoded(client_id), encoded(secret)).as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_with_a_colon_is_encoded_before_it_is_joined() {
        assert_eq!(basic("a b", "x:y%"), format!("Basic {}", BASE64.encode(b"a+b:x%3Ay%25")));
    }
}
