//! Finds the tenant of a URL.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use pointbook_domain::zones::time_zone::{Zone, zone_of};
use pointbook_domain::{LocalTime, Tenant, TenantName, Timestamp};

use crate::database_health::DatabaseHealth;
use crate::feed::FeedWake;
use crate::measure::WriteCounters;
use crate::ports::{Database, TenantData};
use crate::processor::Processor;
use crate::service::ServiceLimits;
use crate::sources::SecretSource;
use crate::tenant_secret::TenantSecrets;
use crate::tenant_state::{TenantState, TenantStates};

/// A tenant with everything that the process keeps in memory for it.
#[derive(Clone)]
pub struct ServedTenant {
    pub tenant: Tenant,
    /// The time zone of its settings.
    pub(crate) zone: Zone,
    /// Its data, and the data of no other tenant.
    pub data: Arc<dyn TenantData>,
    /// The secret from which its keys are derived.
    pub secrets: Arc<TenantSecrets>,
    /// What all tenants share.
    pub shared: Arc<SharedByTenants>,
    /// Whether the database responds.
    pub health: Arc<DatabaseHealth>,
    /// Counts its writes since the start of the process.
    pub(crate) counters: Arc<WriteCounters>,
    /// Wakes the readers of its feed.
    pub feed_wake: Arc<FeedWake>,
    states: Arc<TenantStates>,
}

/// What all tenants of a process share.
pub struct SharedByTenants {
    pub health: Arc<DatabaseHealth>,
    /// The bounds of what is kept in memory.
    pub limits: ServiceLimits,
    pub processor: Arc<Processor>,
    /// Set when a catalogue may have taken or released memory.
    pub memory_changed: Arc<AtomicBool>,
}

impl SharedByTenants {
    /// With these bounds of what is kept in memory.
    pub fn new(limits: ServiceLimits) -> Self {
        Self { health: Arc::default(), limits, processor: Arc::default(), memory_changed: Arc::default() }
    }
}

/// The sources of a served tenant.
pub struct TenantSources<'s> {
    pub database: &'s dyn Database,
    /// The source of a secret for a tenant that has none yet.
    pub secrets: &'s Arc<dyn SecretSource>,
    pub shared: &'s Arc<SharedByTenants>,
}

impl ServedTenant {
    /// What a slice keeps in memory for it.
    pub fn state<T: TenantState>(&self) -> &Arc<T> {
        self.states.get(self)
    }

    /// Its virtual clock was set.
    pub(crate) fn clock_set(&self, now: Timestamp) {
        self.states.clock_set(now);
    }

    /// The time zone of its settings.
    pub fn zone(&self) -> Zone {
        self.zone.clone()
    }

    /// The local date and minute of a time, in its time zone.
    pub fn local_time(&self, at: Timestamp) -> LocalTime {
        self.zone.local_time(at)
    }

    /// Its name for people, metrics and logs: `SLUG/ENVIRONMENT`.
    pub fn name(&self) -> TenantName {
        TenantName { slug: self.tenant.slug.clone(), environment: self.tenant.environment }
    }

    /// Its name in metrics and logs.
    pub fn label(&self) -> String {
        label_of(&self.tenant)
    }

    fn new(tenant: Tenant, sources: &TenantSources<'_>, before: Option<&Self>) -> Self {
        let label = label_of(&tenant);
        let zone = zone_of(&tenant.settings.time_zone, &label);
        if let Some(before) = before {
            before.states.settings_changed(&tenant.settings);
            return Self { tenant, zone, ..before.clone() };
        }
        let data = sources.database.tenant(&tenant.id);
        Self {
            secrets: Arc::new(TenantSecrets::new(data.clone(), sources.secrets.clone())),
            states: Arc::new(TenantStates::new(tenant.settings.clone())),
            shared: sources.shared.clone(),
            health: sources.shared.health.clone(),
            counters: Arc::new(WriteCounters::new(&label)),
            feed_wake: Arc::default(),
            tenant,
            zone,
            data,
        }
    }
}

fn label_of(tenant: &Tenant) -> String {
    format!("{}/{}", tenant.slug, tenant.environment)
}

#[derive(Default)]
pub struct Directory {
    tenants: Vec<Arc<ServedTenant>>,
    /// Trees: for few tenants they are faster than a hash that withstands attacks.
    by_authority: BTreeMap<Box<str>, BTreeMap<Box<str>, Arc<ServedTenant>>>,
    /// `None` when more than one tenant has the path.
    by_path: BTreeMap<Box<str>, Option<Arc<ServedTenant>>>,
}

impl Directory {
    /// The directory of these tenants. It keeps what `before` has in memory, if it still holds.
    pub fn new(tenants: Vec<Tenant>, sources: &TenantSources<'_>, before: &Self) -> Self {
        let mut directory = Self::default();
        for tenant in tenants {
            let known = before.tenants.iter().find(|known| known.tenant.id == tenant.id);
            let served = match known {
                Some(known) if known.tenant == tenant => known.clone(),
                _ => Arc::new(ServedTenant::new(tenant, sources, known.map(AsRef::as_ref))),
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
