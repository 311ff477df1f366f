//! What the process keeps in memory for a tenant, by type. A slice declares its types with [`TenantState`], and `store` names
//! none.

use std::any::Any;
use std::sync::{Arc, OnceLock};

use arc_swap::ArcSwap;
use pointbook_domain::{TenantSettings, Timestamp};

use crate::directory::ServedTenant;

/// What a slice keeps in memory for a tenant. It is made when it is first used, and it stays as long as the process serves the tenant.
pub trait TenantState: Send + Sync + Sized + 'static {
    /// The state of a tenant that has none yet. `settings` are the newest ones: those of `served` may be older.
    fn new(served: &ServedTenant, settings: &TenantSettings) -> Self;

    /// The settings of the tenant changed. It may come twice for one change.
    fn settings_changed(&self, _settings: &TenantSettings) {}

    /// The virtual clock of the tenant was set: it is `now`.
    fn clock_set(self: &Arc<Self>, _now: Timestamp) {}
}

/// The states of one tenant, each type once: a list that only grows, so that a request finds its state without a lock.
pub(crate) struct TenantStates {
    settings: ArcSwap<TenantSettings>,
    first: OnceLock<Box<Node>>,
}

struct Node {
    state: Box<dyn State>,
    next: OnceLock<Box<Self>>,
}

trait State: Any + Send + Sync {
    fn settings_changed(&self, settings: &TenantSettings);
    fn clock_set(&self, now: Timestamp);
}

impl<T: TenantState> State for Arc<T> {
    fn settings_changed(&self, settings: &TenantSettings) {
        T::settings_changed(self, settings);
    }

    fn clock_set(&self, now: Timestamp) {
        T::clock_set(self, now);
    }
}

impl TenantStates {
    pub(crate) fn new(settings: TenantSettings) -> Self {
        Self { settings: ArcSwap::from_pointee(settings), first: OnceLock::new() }
    }

    /// The state of this type. Makes it when there is none.
    pub(crate) fn get<T: TenantState>(&self, served: &ServedTenant) -> &Arc<T> {
        let mut place = &self.first;
        loop {
            let node = place.get().unwrap_or_else(|| {
                // Made outside of the list, because a state may use other states.
                let state = Arc::new(T::new(served, &self.settings.load()));
                let made = Box::new(Node { state: Box::new(state), next: OnceLock::new() });
                let node = place.get_or_init(|| made);
                // A change after its settings were read did not find it in the list.
                node.state.settings_changed(&self.settings.load());
                node
            });
            let state: &dyn Any = &*node.state;
            if let Some(state) = state.downcast_ref() {
                return state;
            }
            place = &node.next;
        }
    }

    pub(crate) fn settings_changed(&self, settings: &TenantSettings) {
        self.settings.store(Arc::new(settings.clone()));
        self.each(|state| state.settings_changed(settings));
    }

    pub(crate) fn clock_set(&self, now: Timestamp) {
        self.each(|state| state.clock_set(now));
    }

    fn each(&self, tell: impl Fn(&dyn State)) {
        let mut place = &self.first;
        while let Some(node) = place.get() {
            tell(&*node.state);
            place = &node.next;
        }
    }
}
