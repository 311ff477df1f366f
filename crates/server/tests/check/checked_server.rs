//! A server in this process, with data from the test.

use std::io::Cursor;
use std::sync::Arc;

use pointbook_access::tokens::authenticate::Tokens;
use pointbook_access::tokens::issue::{NewToken, issue_token};
use pointbook_domain::{BaseUrl, Locale, TenantName, TenantSettings, TokenKind, UserId};
use pointbook_exchange::check::{Client, Politeness, Report, ServerUrl, Token, examine};
use pointbook_http::kernel::HttpLimits;
use pointbook_http::{Gateway, HttpState, Site, router};
use pointbook_server::import;
use pointbook_server::import::{Input, Kind, Options, Target};
use pointbook_server::slices::LISTED;
use pointbook_server::sources::SystemClock;
use pointbook_server::wiring::{DatabaseClient, DatabaseUrl, open_database};
use pointbook_store::tenants::manage::{NewTenant, add_tenant};
use pointbook_store::{Actor, Clock, IdSource, Parts, ServedTenant, Service, ServiceLimits};
use pointbook_testkit::{FixedSecrets, OneSecret, SequentialIds, build};
use tokio::net::TcpListener;

/// A running server.
pub(crate) struct CheckedServer {
    pub(crate) base_url: String,
    pub(crate) service: Arc<Service>,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn IdSource>,
    secrets: Arc<FixedSecrets>,
}

impl CheckedServer {
    /// Serves the tenant `acme` on this database.
    pub(crate) async fn start(url: &str) -> Self {
        let url = DatabaseUrl::parse(url).unwrap();
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        let database = open_database(&url, &*clock, DatabaseClient::NewDatabase).await.unwrap();
        let limits = ServiceLimits {
            principal_max_age_seconds: 0,
            principal_max_age_when_away_seconds: 0,
            refresh_interval_ms: 500,
            catalogue_bytes: 1 << 20,
        };
        let service = Service::open(database, clock.clone(), Arc::new(OneSecret), limits).await;
        let service = Arc::new(service.unwrap());
        let (ids, secrets) = (Arc::<SequentialIds>::default(), Arc::<FixedSecrets>::default());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base_url = format!("http://{}/acme/api", listener.local_addr().unwrap());
        add_tenant(&service, tenant(&base_url), pointbook_store::audit_log::Origin::default(), &*ids)
            .await
            .unwrap();
        let routes =
            router(HttpState::new(Arc::new(Tokens), ids.clone(), secrets.clone(), Parts::default()), &LISTED);
        let gateway =
            Arc::new(Gateway::new(Site::new(service.clone(), routes), HttpLimits::default(), None, "test"));
        tokio::spawn(pointbook_http::kernel::serve(listener, gateway, std::future::pending()));
        Self { base_url, service, clock, ids, secrets }
    }

    pub(crate) fn tenant(&self) -> Arc<ServedTenant> {
        self.service.directory().find(&TenantName::parse("acme").unwrap()).unwrap().clone()
    }

    /// Issues a token of this user.
    pub(crate) async fn token(&self, user: &str) -> String {
        let new = NewToken::new(TokenKind::Customer(UserId::new(user).unwrap()), None);
        let context = build::context(&self.tenant(), Actor::CommandLine, self.clock.now());
        issue_token(&context, new, &*self.secrets).await.unwrap().text
    }

    /// Imports these rows. All must be good.
    pub(crate) async fn import(&self, kind: Kind, text: impl Into<String>) {
        let target = Target {
            tenant: &self.tenant(),
            clock: &self.clock,
            ids: &self.ids,
            by: &pointbook_store::audit_log::Origin::default().into(),
        };
        let input = Input::reader(Cursor::new(text.into()), None);
        let summary = import::run(target, kind, input, Options::default()).await.unwrap();
        assert!(summary.is_clean(), "{summary:?}");
    }
}

fn tenant(base_url: &str) -> NewTenant {
    NewTenant {
        name: TenantName::parse("acme").unwrap(),
        base_url: BaseUrl::parse(base_url).unwrap(),
        title: "Acme".to_owned(),
        locale: Locale::new("en").unwrap(),
        settings: TenantSettings::default(),
    }
}

/// Examines a server without rate limit.
pub(crate) fn examined(base_url: &str, token: &str, other: Option<&str>) -> Report {
    examined_by(1_000, base_url, token, other)
}

/// Examines a server with at most this many requests.
pub(crate) fn examined_by(max_requests: u32, base_url: &str, token: &str, other: Option<&str>) -> Report {
    let base = ServerUrl::parse(base_url).unwrap();
    let politeness = Politeness { max_requests, per_second: 10_000 };
    let other = other.map(|other| Token::new(other).unwrap());
    let mut client = Client::new(base, Token::new(token).unwrap(), other, politeness);
    examine(&mut client).unwrap()
}
