//! The clock of a tenant: the real clock, or a virtual one that is ahead of it.

use std::sync::Arc;

use pointbook_domain::{ClockOffset, Timestamp};

use crate::directory::ServedTenant;
use crate::service::Service;
use crate::sources::Clock;

/// The real clock, moved ahead by a fixed offset.
struct TenantClock {
    real: Arc<dyn Clock>,
    offset: ClockOffset,
}

impl Clock for TenantClock {
    fn now(&self) -> Timestamp {
        self.offset.from_real(self.real.now())
    }
}

impl Service {
    /// The time of a tenant.
    pub fn now_of(&self, served: &ServedTenant) -> Timestamp {
        served.tenant.now(self.clock.now())
    }

    /// The clock of a tenant, for work that asks for the time again and again. It does not follow later settings of a virtual
    /// clock.
    pub fn clock_of(&self, served: &ServedTenant) -> Arc<dyn Clock> {
        match served.tenant.clock {
            ClockOffset::NONE => self.clock.clone(),
            offset => Arc::new(TenantClock { real: self.clock.clone(), offset }),
        }
    }
}
