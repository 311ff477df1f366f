//! Serves the tenant on a loopback address during a comparison.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use pointbook_access::tokens::issue::{NewToken, issue_token};
use pointbook_access::tokens::revoke::revoke_token;
use pointbook_domain::{TokenKind, UserId};
use pointbook_http::kernel::HttpLimits;
use pointbook_http::{Gateway, Operations, Site};
use pointbook_store::ports::tokens::token_hash;
use pointbook_store::{Actor, Context, IdSource, Origin, SecretSource, ServedTenant, Service};
use tokio::net::TcpListener;
use tokio::task::JoinSet;

use super::error::PullError;
use crate::check::{Client, Politeness, ServerUrl, Source, Token};

/// When a token of the comparison expires, in seconds. Usually the comparison revokes it earlier.
const TOKEN_SECONDS: u32 = 3_600;

/// The process sends requests to itself, so it needs no limits.
const UNLIMITED: Politeness = Politeness { max_requests: u32::MAX, per_second: 1_000_000 };

/// A server of one tenant. It stops when the value is dropped.
pub struct LocalServer {
    service: Arc<Service>,
    tenant: Arc<ServedTenant>,
    origin: Origin,
    ids: Arc<dyn IdSource>,
    secrets: Arc<dyn SecretSource>,
    address: SocketAddr,
    /// The task that serves.
    _server: JoinSet<()>,
}

impl LocalServer {
    /// Listens on a free port. The audit log names `origin` for each token that the comparison issues and revokes.
    ///
    /// # Errors
    /// [`PullError::Listen`].
    pub async fn start(
        service: Arc<Service>,
        tenant: Arc<ServedTenant>,
        origin: Origin,
        operations: impl Operations + 'static,
        (ids, secrets): (Arc<dyn IdSource>, Arc<dyn SecretSource>),
    ) -> Result<Self, PullError> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.map_err(PullError::Listen)?;
        let address = listener.local_addr().map_err(PullError::Listen)?;
        let site = Site::new(service.clone(), operations);
        let gateway = Gateway::new(site, HttpLimits::default(), None, "pull");
        let mut server = JoinSet::new();
        server.spawn(pointbook_http::kernel::serve(listener, Arc::new(gateway), std::future::pending()));
        Ok(Self { service, tenant, origin, ids, secrets, address, _server: server })
    }

    /// Runs `work` with a source that reads as this user. An unknown user is created.
    ///
    /// # Errors
    /// The error of `work`, or why it got no source. When the token cannot be revoked, only [`PullError::Revoke`].
    pub async fn read_as<T, E: From<PullError>>(
        &self,
        user: &UserId,
        work: impl AsyncFnOnce(Source) -> Result<T, E>,
    ) -> Result<T, E> {
        let new = NewToken::new(TokenKind::Customer(user.clone()), Some(TOKEN_SECONDS));
        let issued = issue_token(&self.acting(), new, &*self.secrets).await.map_err(PullError::Issue)?;
        let result = match self.source(&issued.text) {
            Ok(source) => work(source).await,
            Err(error) => Err(error.into()),
        };
        let hash = token_hash(issued.text.as_bytes());
        revoke_token(&self.acting(), hash).await.map_err(PullError::Revoke)?;
        result
    }

    fn acting(&self) -> Context {
        let now = self.service.now_of(&self.tenant);
        let bare = Context::new(self.tenant.clone(), Actor::CommandLine, now, self.ids.clone());
        Context { origin: self.origin.clone(), ..bare }
    }

    fn source(&self, token: &str) -> Result<Source, PullError> {
        let base_url = &self.tenant.tenant.base_url;
        let here = format!("http://{}{}", self.address, base_url.path());
        let base = ServerUrl::parse(base_url.as_str()).map_err(PullError::Url)?;
        let here = ServerUrl::parse(&here).map_err(PullError::Url)?;
        let token = Token::new(token).map_err(PullError::Token)?;
        Ok(Source::new(Client::new(base, token, None, UNLIMITED).reached_at(here)))
    }
}
