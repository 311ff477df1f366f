//! Finds the tenant of a URL.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use pointbook_campaigns::{Options, RuleSet};
use pointbook_catalogue::Snapshot;
use pointbook_domain::zones::time_zone::{Zone, zone_of};
use pointbook_domain::{LocalTime, Tenant, TenantName, Timestamp, TokenId};
use tokio::sync::Semaphore;

use crate::catalogue_cache::{CatalogueCache, CatalogueOptions, SharedByCatalogues};
use crate::database_health::DatabaseHealth;
use crate::feed::FeedWake;
use crate::known_operators::KnownOperators;
use crate::measure::WriteCounters;
use crate::ports::{Database, StoreResult, TenantData};
use crate::principal_cache::PrincipalCache;
use crate::processor::Processor;
use crate::rules_cache::RulesCache;
use crate::service::ServiceLimits;
use crate::sources::SecretSource;
use crate::tenant_secret::TenantSecrets;
use crate::use_key::{KeyUses, Uses};

/// A tenant with everything that the process keeps in memory for it.
#[derive(Clone)]
pub struct ServedTenant {
    pub tenant: Tenant,
    /// The time zone of its settings.
    pub(crate) zone: Zone,
    /// Its data, and the data of no other tenant.
    pub data: Arc<dyn TenantData>,
    pub catalogue: Arc<CatalogueCache>,
    /// Who sent which token.
    pub principals: Arc<PrincipalCache>,
    /// The secret from which its keys are derived.
    pub secrets: Arc<TenantSecrets>,
    pub health: Arc<DatabaseHealth>,
    /// Counts its writes since the start of the process.
    pub(crate) counters: Arc<WriteCounters>,
    /// Whether the super-user tokens were read after their last use.
    pub super_users_read: Arc<AtomicBool>,
    /// The keys that were used since the last write of their uses.
    pub(crate) key_uses: Arc<KeyUses>,
    /// The sessions of operators that were used since the last write of their uses.
    pub session_uses: Arc<Uses<TokenId>>,
    /// Its campaigns.
    pub rules: Arc<RulesCache>,
    /// Wakes the readers of its feed.
    pub feed_wake: Arc<FeedWake>,
    /// Permits to clean HTML, so that one tenant does not take the background threads of all.
    pub(crate) cleaning: Arc<Semaphore>,
    pub operators: Arc<KnownOperators>,
}

/// The sources of a served tenant.
pub struct TenantSources<'s> {
    pub database: &'s dyn Database,
    /// The source of a secret for a tenant that has none yet.
    pub secrets: &'s Arc<dyn SecretSource>,
    /// The parts that all catalogues share.
    pub catalogues: &'s SharedByCatalogues,
    /// The bounds of its caches.
    pub limits: &'s ServiceLimits,
}

/// How many requests of one tenant clean HTML at a time. Others wait.
const MAX_TENANT_CLEANING: usize = 2;

impl ServedTenant {
    /// Its snapshot. Loads it when it is not in memory.
    ///
    /// # Errors
    /// When the store fails during the load.
    pub async fn snapshot(&self, now: Timestamp) -> StoreResult<Arc<Snapshot>> {
        self.catalogue.snapshot(now).await
    }

    /// The time zone of its settings.
    pub fn zone(&self) -> Zone {
        self.zone.clone()
    }

    /// The local date and minute of a time, in its time zone.
    pub fn local_time(&self, at: Timestamp) -> LocalTime {
        self.zone.local_time(at)
    }

    /// Its campaigns, with its settings.
    ///
    /// # Errors
    /// When the store fails during a look for changes.
    pub async fn rules(&self) -> StoreResult<Arc<RuleSet>> {
        self.rules.rules(&Options::of(&self.tenant.settings, self.tenant.locale.clone())).await
    }

    /// Its name for people, metrics and logs: `SLUG/ENVIRONMENT`.
    pub fn name(&self) -> TenantName {
        TenantName { slug: self.tenant.slug.clone(), environment: self.tenant.environment }
    }

    fn new(
        tenant: Tenant,
        sources: &TenantSources<'_>,
        processor: &Arc<Processor>,
        before: Option<&Self>,
    ) -> Self {
        let options = CatalogueOptions::of(&tenant.settings);
        let label = format!("{}/{}", tenant.slug, tenant.environment);
        let zone = zone_of(&tenant.settings.time_zone, &label);
        if let Some(before) = before {
            before.catalogue.set_options(options);
            return Self { tenant, zone, ..before.clone() };
        }
        let data = sources.database.tenant(&tenant.id);
        let secrets = Arc::new(TenantSecrets::new(data.clone(), sources.secrets.clone()));
        let (health, counters) = (sources.catalogues.health.clone(), Arc::new(WriteCounters::new(&label)));
        let catalogue = CatalogueCache::new(data.clone(), secrets.clone(), options, label, processor.clone());
        let catalogue = Arc::new(catalogue.sharing(sources.catalogues.clone()));
        let principals = PrincipalCache::new(sources.limits.principal_max_age_seconds);
        let principals = Arc::new(principals.when_away(sources.limits.principal_max_age_when_away_seconds));
        let rules = Arc::new(RulesCache::new(data.clone()));
        let cleaning = Arc::new(Semaphore::new(MAX_TENANT_CLEANING));
        Self {
            tenant,
            zone,
            data,
            catalogue,
            principals,
            secrets,
            health,
            counters,
            super_users_read: Arc::default(),
            key_uses: Arc::default(),
            session_uses: Arc::default(),
            rules,
            feed_wake: Arc::default(),
            cleaning,
            operators: Arc::default(),
        }
    }
}

#[derive(Default)]
pub struct Directory {
    tenants: Vec<Arc<ServedTenant>>,
    /// Trees: for few tenants they are faster than a hash that withstands attacks.
    by_authority: BTreeMap<Box<str>, BTreeMap<Box<str>, Arc<ServedTenant>>>,
    /// `None` when more than one tenant has the path.
    by_path: BTreeMap<Box<str>, Option<Arc<ServedTenant>>>,
    processor: Arc<Processor>,
}

impl Directory {
    /// The directory of these tenants. It keeps what `before` has in memory, if it still holds.
    pub fn new(tenants: Vec<Tenant>, sources: &TenantSources<'_>, before: &Self) -> Self {
        let mut directory = Self { processor: before.processor.clone(), ..Self::default() };
        for tenant in tenants {
            let known = before.tenants.iter().find(|known| known.tenant.id == tenant.id);
            let served = match known {
                Some(known) if known.tenant == tenant => known.clone(),
                _ => Arc::new(ServedTenant::new(
                    tenant,
                    sources,
                    &directory.processor,
                    known.map(AsRef::as_ref),
                )),
            };
            directory.add(served);
        }
        directory
    }

    fn add(&mut self, served: Arc<ServedTenant>) {
        let (authority, path) = (served.tenant.base_url.authority(), served.tenant.base_url.path());
        self.by_path
            .entry(path.into())
            .and_modify(|only| *only = None)
            .or_insert_with(|| Some(served.clone()));
        self.by_authority.entry(authority.into()).or_default().insert(path.into(), served.clone());
        self.tenants.push(served);
    }

    /// The tenant at this authority and base path. If no tenant has the authority, the base path decides, provided that exactly
    /// one tenant has it. So a demo works behind a port mapping.
    pub fn resolve(&self, authority: &str, base_path: &str) -> Option<&Arc<ServedTenant>> {
        match self.by_authority.get(authority) {
            Some(paths) => paths.get(base_path),
            None => self.by_path.get(base_path)?.as_ref(),
        }
    }

    pub fn find(&self, name: &TenantName) -> Option<&Arc<ServedTenant>> {
        self.tenants
            .iter()
            .find(|served| served.tenant.slug == name.slug && served.tenant.environment == name.environment)
    }

    /// All tenants, by slug, then environment.
    pub fn tenants(&self) -> &[Arc<ServedTenant>] {
        &self.tenants
    }
}
