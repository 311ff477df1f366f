//! The demo: a tenant with two environments, a store full of products, and users with histories.
//!
//! All data goes through the use cases of an import. Its dates count back from the day on which the tenant was added. Each
//! step can be repeated, so the next start completes an interrupted one. Tokens are added last: when the last token
//! exists, all other data does, too.

mod campaigns;
mod explained;
mod operators;
mod orders;
mod seed;
mod tour;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

use explained::explained;
use pointbook_domain::expiry::{ExpiryPolicy, Length, Rounding};
use pointbook_domain::settings::{Color, ExpiryType};
use pointbook_domain::{BaseUrl, CorsPolicy, Environment, Locale, Slug, Tenant, TenantName, TenantSettings};
use pointbook_http::root::{DocsSettings, DocsTokens};
use pointbook_shop::DemoPage;
use pointbook_store::tenants::manage::{NewTenant, add_tenant, change_tenant};
use pointbook_store::{Actor, IdSource, ServedTenant, Service};

use crate::Failure;
use crate::import::Target;
use crate::sample::people::SLUG;
use crate::sample::{SampleError, SampleResult, people, pictures};
use crate::sources::{UuidIds, command_line};

#[derive(Debug)]
pub(crate) struct Prepared {
    pub(crate) text: String,
    /// The values in the pages at `/docs`.
    pub(crate) docs: DocsSettings,
    /// The demo section of the page at `/`.
    pub(crate) page: DemoPage,
}

/// Creates missing data and sets the base URLs of both environments: below `root`, or at `listen`. `database` appears only
/// in the printed text.
pub(crate) async fn prepare(
    service: &Service,
    listen: SocketAddr,
    root: Option<&str>,
    database: &str,
) -> Result<Prepared, Failure> {
    refuse_other_tenants(service)?;
    let trouble = |error: SampleError| Failure::trouble("cannot create the sample data", &*error);
    let production = ensure(service, Environment::Production, listen, root).await.map_err(trouble)?;
    let staging = ensure(service, Environment::Staging, listen, root).await.map_err(trouble)?;
    let explained = explained(&production).await.map_err(trouble)?;
    let (production, staging) = (&production.tenant, &staging.tenant);
    let docs = DocsSettings {
        host: Some(production.base_url.authority().to_owned()),
        base_path: Some(production.base_url.path().to_owned()),
        // These tokens are public: the demo prints them, too.
        tokens: DocsTokens {
            customer: Some(people::CUSTOMER_TOKEN.to_owned()),
            super_user: Some(people::SUPER_USER_TOKEN.to_owned()),
        },
    };
    let people = people::introduced().map_err(trouble)?;
    let text = tour::text((production, staging), &people, database, &explained);
    let page = DemoPage { base_url: production.base_url.to_string(), people, picture: pictures::picture };
    Ok(Prepared { text, docs, page })
}

async fn ensure(
    service: &Service,
    environment: Environment,
    listen: SocketAddr,
    root: Option<&str>,
) -> SampleResult<Arc<ServedTenant>> {
    let found = find(service, &TenantName { slug: Slug::new(SLUG)?, environment });
    let base_url = match found.as_ref().map(|served| served.tenant.base_url.clone()) {
        // Keeps a base URL that `tenant set` gave. Replaces one of a loopback host: an earlier start of the demo chose it,
        // perhaps with another port.
        Some(set) if root.is_none() && !is_of_this_machine(set.authority()) => set,
        _ => base_url(root, listen, environment)?,
    };
    let has_moved = found.is_some_and(|served| served.tenant.base_url != base_url);
    let served = ensure_tenant(service, environment, base_url).await?;
    let ids: Arc<dyn IdSource> = Arc::new(UuidIds);
    let clock = service.clock_of(&served);
    let target = Target { tenant: &served, clock: &clock, ids: &ids, by: &command_line().into() };
    seed::ensure(target).await?;
    if has_moved {
        // The URLs of the pictures have moved, too.
        seed::import_products(target).await?;
    }
    Ok(served)
}

/// Refuses a database with tenants that are not the demo's. The tokens of the demo are public, and must never work for
/// real data.
fn refuse_other_tenants(service: &Service) -> Result<(), Failure> {
    for served in service.directory().tenants() {
        let Tenant { slug, environment, name, .. } = &served.tenant;
        if slug.as_str() != SLUG || name != title(*environment) {
            return Err(Failure::input(format!(
                "the database has the tenant {slug}/{environment} ({name:?}), which is not part of the demo: \
                 choose another database with --database sqlite:FILE"
            )));
        }
    }
    Ok(())
}

fn title(environment: Environment) -> &'static str {
    match environment {
        Environment::Production => "Acme Rewards",
        Environment::Staging => "Acme Rewards (staging)",
    }
}

fn is_of_this_machine(authority: &str) -> bool {
    let host = authority.rsplit_once(':').map_or(authority, |(host, _)| host);
    let address = host.trim_matches(['[', ']']).parse::<IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}

fn base_url(root: Option<&str>, listen: SocketAddr, environment: Environment) -> SampleResult<BaseUrl> {
    // Shows `localhost` for loopback and for all addresses. With another authority, routing finds the tenant by its path.
    let authority = match listen.ip() {
        ip if ip == IpAddr::from(Ipv4Addr::LOCALHOST) || ip.is_unspecified() => {
            format!("localhost:{}", listen.port())
        }
        _ => listen.to_string(),
    };
    let root = root.map_or_else(|| format!("http://{authority}"), str::to_owned);
    let path = match environment {
        Environment::Production => SLUG.to_owned(),
        Environment::Staging => format!("{SLUG}-staging"),
    };
    Ok(BaseUrl::parse(&format!("{root}/{path}/api"))?)
}

async fn ensure_tenant(
    service: &Service,
    environment: Environment,
    base_url: BaseUrl,
) -> SampleResult<Arc<ServedTenant>> {
    let name = TenantName { slug: Slug::new(SLUG)?, environment };
    match find(service, &name) {
        None => {
            let new = NewTenant {
                name: name.clone(),
                settings: settings(&base_url),
                base_url,
                title: title(environment).to_owned(),
                locale: Locale::new("en")?,
            };
            add_tenant(service, new, command_line(), &UuidIds).await?;
        }
        Some(served) if served.tenant.base_url != base_url => {
            change_tenant(
                service,
                &Tenant { base_url, ..served.tenant.clone() },
                (Actor::CommandLine, command_line()),
            )
            .await?;
        }
        Some(_) => {}
    }
    Ok(find(service, &name).ok_or_else(|| format!("tenant {name} was added but is not found"))?)
}

/// Allows web pages of this machine and of the demo to read responses. Other pages may not: the tokens of the demo are
/// public, so any page that a developer opens could use them.
fn settings(base_url: &BaseUrl) -> TenantSettings {
    let own = base_url.origin().to_owned();
    let local = ["http://localhost:*", "http://127.0.0.1:*", "http://[::1]:*"].map(str::to_owned);
    let origins = local.into_iter().chain([own]).collect();
    let welcome = [("en", "Good things for good habits."), ("de", "Gutes für gute Gewohnheiten.")];
    let welcome = welcome.map(|(tag, line)| Locale::new(tag).map(|locale| (locale, line.to_owned())));
    TenantSettings {
        shop: true,
        brand_color: Color::parse("#7a2456"),
        welcome: welcome.into_iter().flatten().collect(),
        members_cancel_orders: true,
        cors: CorsPolicy::Origins(origins),
        // So that the sample history earns bonuses, although it is two years old.
        campaign_birth_date_days: 0,
        campaign_max_age_days: 0,
        // So that aiko, whose oldest points are almost a year old, has some that end within weeks.
        points_expire: ExpiryPolicy::After { length: Length::Months(12), until_end_of: Rounding::Month },
        points_expire_as: Some(ExpiryType::Order),
        ..TenantSettings::default()
    }
}

fn find(service: &Service, name: &TenantName) -> Option<Arc<ServedTenant>> {
    service.directory().find(name).cloned()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use pointbook_access::operators::manage::{RemoveOperator, list_operators};
    use pointbook_access::tokens::authenticate::authenticate;
    use pointbook_access::tokens::revoke::revoke_token;
    use pointbook_domain::{Email, Operator};
    use pointbook_points::audit::ledger::{AuditReport, audit_ledger};
    use pointbook_store::ServiceLimits;
    use pointbook_store::ports::tokens::token_hash;

    use super::operators::DemoOperator;
    use super::*;
    use crate::commands::acting;
    use crate::import::Kind;
    use crate::sample::{diary, goods};
    use crate::wiring::{DatabaseClient, DatabaseUrl, open_service};

    const PRODUCTION: Environment = Environment::Production;

    async fn open(folder: &Path) -> Service {
        let limits = ServiceLimits {
            principal_max_age_seconds: 0,
            principal_max_age_when_away_seconds: 0,
            refresh_interval_ms: 500,
            catalogue_bytes: 0,
        };
        open_service(&DatabaseUrl::Sqlite(folder.join("demo.db")), limits, DatabaseClient::NewDatabase)
            .await
            .unwrap()
    }

    fn listen() -> SocketAddr {
        SocketAddr::from(([127, 0, 0, 1], 8080))
    }

    async fn start(service: &Service) -> Result<Prepared, Failure> {
        prepare(service, listen(), None, "sqlite:demo.db").await
    }

    fn production(service: &Service) -> Arc<ServedTenant> {
        find(service, &TenantName { slug: Slug::new(SLUG).unwrap(), environment: PRODUCTION }).unwrap()
    }

    async fn audit(served: &ServedTenant) -> AuditReport {
        audit_ledger(&*served.data, |_| {}).await.unwrap()
    }

    #[tokio::test]
    async fn next_start_completes_an_interrupted_one() {
        let folder = tempfile::tempdir().unwrap();
        let service = open(folder.path()).await;
        let base_url = base_url(None, listen(), PRODUCTION).unwrap();
        let served = ensure_tenant(&service, PRODUCTION, base_url).await.unwrap();
        let (goods, today) = (goods::goods().unwrap(), served.tenant.created_at.day());
        let ids: Arc<dyn IdSource> = Arc::new(UuidIds);
        let target = Target { tenant: &served, clock: &service.clock, ids: &ids, by: &command_line().into() };
        let mut expected = 0;
        for person in people::living_in(PRODUCTION).unwrap() {
            let mut activities = diary::activities(&person, &goods, today).unwrap();
            expected += activities.len() as u64;
            activities.truncate(activities.len() / 2);
            seed::import(target, Kind::Activities, seed::jsonl(activities)).await.unwrap();
        }
        assert!(audit(&served).await.transactions < expected);

        start(&service).await.unwrap();
        let report = audit(&served).await;
        // One of the orders is cancelled, which refunds its points.
        let (orders, refunds) = (orders::ORDERS.len() as u64, 1);
        assert_eq!((report.users, report.transactions), (4, expected + orders + refunds));
        assert_eq!((report.orders, report.differences), (orders, 0));
    }

    #[tokio::test]
    async fn revoked_token_works_again_after_the_next_start() {
        let folder = tempfile::tempdir().unwrap();
        let service = open(folder.path()).await;
        start(&service).await.unwrap();
        let (served, now) = (production(&service), service.clock.now());
        assert!(revoke_token(&acting(&service, &served), token_hash(b"demo-ben")).await.unwrap());
        assert!(authenticate(&served, b"demo-ben", now).await.unwrap().is_none());
        start(&service).await.unwrap();
        assert!(authenticate(&served, b"demo-ben", now).await.unwrap().is_some());
    }

    #[tokio::test]
    async fn every_start_adds_missing_operators_to_both_environments() {
        let folder = tempfile::tempdir().unwrap();
        let service = open(folder.path()).await;
        start(&service).await.unwrap();
        let listed = async || {
            let mut listed = Vec::new();
            for served in service.directory().tenants() {
                for Operator { email, name, role, .. } in list_operators(&*served.data).await.unwrap() {
                    listed.push(DemoOperator { tenant: served.name(), email, name, role });
                }
            }
            listed.sort_by_key(|operator| format!("{} {}", operator.tenant, operator.email));
            listed
        };
        let mut expected = operators::operators().unwrap();
        expected.sort_by_key(|operator| format!("{} {}", operator.tenant, operator.email));
        assert_eq!(listed().await, expected);
        let served = production(&service);
        let remove = RemoveOperator(Email::parse("sam@acme.example").unwrap());
        acting::<()>(&service, &served).write(remove).await.unwrap().unwrap();
        assert_eq!(listed().await.len(), expected.len() - 1);
        start(&service).await.unwrap();
        assert_eq!(listed().await, expected);
    }

    #[tokio::test]
    async fn demo_refuses_a_database_with_other_tenants() {
        let folder = tempfile::tempdir().unwrap();
        let service = open(folder.path()).await;
        let own = NewTenant {
            name: TenantName { slug: Slug::new(SLUG).unwrap(), environment: PRODUCTION },
            base_url: BaseUrl::parse("https://acme.example/api").unwrap(),
            title: "Acme".to_owned(),
            locale: Locale::new("en").unwrap(),
            settings: TenantSettings::default(),
        };
        add_tenant(&service, own, command_line(), &UuidIds).await.unwrap();
        let refused = start(&service).await.unwrap_err();
        assert!(refused.messages[0].contains("acme/production"), "{refused:?}");
        assert_eq!(audit(&production(&service)).await.users, 0);
    }

    #[test]
    fn base_url_has_localhost_for_loopback_and_all_addresses() {
        let shown = |listen: &str| {
            base_url(None, listen.parse().unwrap(), PRODUCTION).unwrap().authority().to_owned()
        };
        assert_eq!(shown("127.0.0.1:8080"), "localhost:8080");
        assert_eq!(shown("0.0.0.0:9000"), "localhost:9000");
        assert_eq!(shown("192.0.2.7:8080"), "192.0.2.7:8080");
        assert_eq!(shown("[::1]:8080"), "[::1]:8080");
        assert_eq!(shown("127.0.0.2:8080"), "127.0.0.2:8080");
    }

    #[tokio::test]
    async fn base_url_of_tenant_set_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let service = open(folder.path()).await;
        start(&service).await.unwrap();
        let url = |service: &Service| production(service).tenant.base_url.to_string();
        assert_eq!(url(&service), "http://localhost:8080/acme/api");
        let set = BaseUrl::parse("http://10.0.2.2:8080/acme/api").unwrap();
        let moved = Tenant { base_url: set, ..production(&service).tenant.clone() };
        change_tenant(&service, &moved, (Actor::CommandLine, command_line())).await.unwrap();
        let started = start(&service).await.unwrap();
        assert_eq!(url(&service), "http://10.0.2.2:8080/acme/api");
        assert!(started.text.contains("http://10.0.2.2:8080/acme/api\n"), "{}", started.text);
        let root = Some("http://192.0.2.7:80");
        prepare(&service, listen(), root, "sqlite:demo.db").await.unwrap();
        assert_eq!(url(&service), "http://192.0.2.7/acme/api");
    }
}
