//! Serves the tenant on a loopback address during a comparison.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use pointbook_app::{Actor, Context, NewToken, ServedTenant, Service, issue_token, revoke_token, token_hash};
use pointbook_check::{Client, Politeness, ServerUrl, Source, Token};
use pointbook_domain::{TokenKind, UserId};
use pointbook_http::routes::{HttpState, router};
use pointbook_http::{Gateway, Site};
use pointbook_http_kernel::HttpLimits;
use tokio::net::TcpListener;

use crate::Failure;
use crate::background::{AbortOnDrop, spawn};
use crate::config::WebhooksConfig;
use crate::sources::{OsSecrets, UuidIds, command_line};

/// When a token of the comparison expires, in seconds. Usually the comparison revokes it earlier.
const TOKEN_SECONDS: u32 = 3_600;

/// The process sends requests to itself, so it needs no limits.
const UNLIMITED: Politeness = Politeness { max_requests: u32::MAX, per_second: 1_000_000 };

/// A server of one tenant. It stops when the value is dropped.
pub(crate) struct LocalServer {
    service: Arc<Service>,
    tenant: Arc<ServedTenant>,
    address: SocketAddr,
    _server: AbortOnDrop,
}

impl LocalServer {
    pub(crate) async fn start(service: Arc<Service>, tenant: Arc<ServedTenant>) -> Result<Self, Failure> {
        let trouble = |error| Failure::trouble("cannot listen on this machine", &error);
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.map_err(trouble)?;
        let address = listener.local_addr().map_err(trouble)?;
        let outbox = WebhooksConfig::default().outbox()?;
        let routes = router(HttpState::new(Arc::new(UuidIds), Arc::new(OsSecrets), outbox));
        let gateway = Gateway::new(Site::new(service.clone(), routes), HttpLimits::default(), None, "pull");
        let server = spawn(pointbook_http_kernel::serve(listener, Arc::new(gateway), std::future::pending()));
        Ok(Self { service, tenant, address, _server: server })
    }

    /// Runs `work` with a source that reads as this user. An unknown user is created.
    pub(crate) async fn read_as<T>(
        &self,
        user: &UserId,
        work: impl AsyncFnOnce(Source) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let new = NewToken::new(TokenKind::Customer(user.clone()), Some(TOKEN_SECONDS));
        let issued = issue_token(&self.acting(), new, &OsSecrets).await?;
        let result = match self.source(&issued.text) {
            Ok(source) => work(source).await,
            Err(failure) => Err(failure),
        };
        revoke_token(&self.acting(), token_hash(issued.text.as_bytes())).await?;
        result
    }

    fn acting(&self) -> Context {
        let now = self.service.now_of(&self.tenant);
        let bare = Context::new(self.tenant.clone(), Actor::CommandLine, now, Arc::new(UuidIds));
        Context { origin: command_line(), ..bare }
    }

    fn source(&self, token: &str) -> Result<Source, Failure> {
        let base_url = &self.tenant.tenant.base_url;
        let here = format!("http://{}{}", self.address, base_url.path());
        let trouble =
            |error| Failure::trouble("cannot connect to the local server of the comparison", &error);
        let base = ServerUrl::parse(base_url.as_str()).map_err(trouble)?;
        let here = ServerUrl::parse(&here).map_err(trouble)?;
        let token = Token::new(token)
            .map_err(|error| Failure::trouble("cannot use the token of the comparison", &error))?;
        Ok(Source::new(Client::new(base, token, None, UNLIMITED).reached_at(here)))
    }
}
