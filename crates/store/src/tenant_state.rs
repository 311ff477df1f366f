//! What the process keeps in memory for a tenant, by type. A slice declares its types with [`TenantState`], and `store` names
//! none.

use std::any::Any;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use pointbook_domain::{TenantSettings, Timestamp};

use crate::directory::ServedTenant;

/// What a slice keeps in memory for a tenant. It is made when it is first used, and it stays as long as the process serves the tenant.
pub trait TenantState: Send + Sync + Sized + 'static {
    /// The state of a tenant that has none yet. `settings` are the newest ones, without display texts: those of `served` may be older.
    /// Two requests may each make one, and the second one is dropped. It may use states of other types, and not its own.
    fn new(served: &ServedTenant, settings: &TenantSettings) -> Self;

    /// The settings of the tenant changed. It may come twice for one change.
    fn settings_changed(&self, _settings: &TenantSettings) {}

    /// The virtual clock of the tenant was set: it is `now`.
    fn clock_set(self: &Arc<Self>, _now: Timestamp) {}
}

/// The states of one tenant, each type once: a list that only grows, so that a request finds its state without a lock.
pub(crate) struct TenantStates {
    /// The newest settings, without display texts. Locked while they change and while a state joins the list, so that each state gets the
    /// newest ones last.
    settings: Mutex<TenantSettings>,
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
        Self { settings: Mutex::new(without_texts(settings)), first: OnceLock::new() }
    }

    /// The state of this type. Makes it when there is none.
    pub(crate) fn get<T: TenantState>(&self, served: &ServedTenant) -> &Arc<T> {
        self.get_or_make(&|settings| T::new(served, settings))
    }

    fn get_or_make<T: TenantState>(&self, make: &dyn Fn(&TenantSettings) -> T) -> &Arc<T> {
        let mut place = &self.first;
        loop {
            let node = place.get().unwrap_or_else(|| {
                // Made outside of the lock, because a state may use other states.
                let settings = self.settings().clone();
                let state = Arc::new(make(&settings));
                let settings = self.settings();
                let node =
                    place.get_or_init(|| Box::new(Node { state: Box::new(state), next: OnceLock::new() }));
                node.state.settings_changed(&settings);
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
        let mut newest = self.settings();
        *newest = without_texts(settings.clone());
        self.each(|state| state.settings_changed(&newest));
    }

    pub(crate) fn clock_set(&self, now: Timestamp) {
        self.each(|state| state.clock_set(now));
    }

    fn settings(&self) -> MutexGuard<'_, TenantSettings> {
        self.settings.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn each(&self, tell: impl Fn(&dyn State)) {
        let mut place = &self.first;
        while let Some(node) = place.get() {
            tell(&*node.state);
            place = &node.next;
        }
    }
}

/// Texts may have a megabyte, and no state needs them.
fn without_texts(mut settings: TenantSettings) -> TenantSettings {
    settings.texts.clear();
    settings
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    /// The last threshold that it was told.
    #[derive(Default)]
    struct Threshold(AtomicU32);

    #[derive(Default)]
    struct Other(Mutex<Option<Timestamp>>);

    impl TenantState for Threshold {
        fn new(_: &ServedTenant, _: &TenantSettings) -> Self {
            Self::default()
        }

        fn settings_changed(&self, settings: &TenantSettings) {
            self.0.store(settings.low_stock_threshold, Ordering::Relaxed);
        }
    }

    impl TenantState for Other {
        fn new(_: &ServedTenant, _: &TenantSettings) -> Self {
            Self::default()
        }

        fn clock_set(self: &Arc<Self>, now: Timestamp) {
            *self.0.lock().unwrap() = Some(now);
        }
    }

    fn settings(low_stock_threshold: u32) -> TenantSettings {
        TenantSettings { low_stock_threshold, ..TenantSettings::default() }
    }

    fn threshold(state: &Threshold) -> u32 {
        state.0.load(Ordering::Relaxed)
    }

    #[test]
    fn each_type_is_made_once_and_gets_what_changes() {
        let states = TenantStates::new(settings(1));
        let made = states.get_or_make(&|_| Threshold::default());
        let other = states.get_or_make(&|_| Other::default());
        assert!(Arc::ptr_eq(made, states.get_or_make(&|_| -> Threshold { panic!("there is one") })));
        states.settings_changed(&settings(2));
        let now = Timestamp::from_micros(7).unwrap();
        states.clock_set(now);
        assert_eq!((threshold(made), *other.0.lock().unwrap()), (2, Some(now)));
    }

    #[test]
    fn a_state_that_is_made_during_a_change_has_the_newest_settings() {
        let states = TenantStates::new(settings(1));
        let made = states.get_or_make(&|old| {
            states.settings_changed(&settings(9));
            Threshold(AtomicU32::new(old.low_stock_threshold))
        });
        assert_eq!(threshold(made), 9);
    }

    #[test]
    fn a_state_may_use_another_one_and_the_first_of_two_stays() {
        let states = TenantStates::new(settings(1));
        let made = states.get_or_make(&|_| {
            states.get_or_make(&|_| Other::default());
            states.get_or_make(&|_| Threshold(AtomicU32::new(5)));
            Threshold(AtomicU32::new(6))
        });
        assert_eq!(Arc::strong_count(made), 1);
        assert!(Arc::ptr_eq(made, states.get_or_make(&|_| Threshold::default())));
    }

    #[test]
    fn display_texts_are_not_kept_twice() {
        let with_texts = TenantSettings {
            texts: [(pointbook_domain::Locale::new("en").unwrap(), "x = y".to_owned())].into(),
            ..TenantSettings::default()
        };
        assert!(TenantStates::new(with_texts).settings().texts.is_empty());
    }
}
