//! The lanes of writes.

use std::sync::Arc;

use crate::commands;

/// The lane in which a write waits.
pub(crate) type Lane = crate::queue::Lane<Arc<str>, commands::Lane>;

/// The lane for writes of the service: tenants, background jobs, cleaning up.
pub(crate) const SERVICE: Lane = Lane { tenant: None, name: commands::Lane::BackOffice };

/// The lane of a tenant's back office.
pub(crate) fn back_office(tenant: &Arc<str>) -> Lane {
    Lane::of(tenant.clone(), commands::Lane::BackOffice)
}
