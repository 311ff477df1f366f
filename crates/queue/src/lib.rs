//! Bounded queues and permits. Tenants take turns, and so do the lanes of a tenant.
//!
//! [`Queue`] is a plain data structure: jobs that wait, and how many permits each lane, each tenant and all together
//! have. [`Permits`] hands out permits to callers, who wait for them in such a queue.

mod limits;
mod permits;
mod queue;

use std::fmt;
use std::hash::Hash;

pub use self::limits::{Bounds, Limits};
pub use self::permits::{Permit, Permits};
pub use self::queue::{Count, Queue};

/// The name of a tenant, or of a lane within its tenant. Cheap to clone, if possible: it is cloned several times for
/// each job.
pub trait Key: Clone + Eq + Hash {}

impl<K: Clone + Eq + Hash> Key for K {}

/// A lane of one tenant, or of the service itself. Within a lane, the order of arrival holds.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Lane<T, L> {
    /// `None` is the service itself: the limits of a tenant do not apply to it.
    pub tenant: Option<T>,
    /// Unique within the tenant.
    pub name: L,
}

impl<T, L> Lane<T, L> {
    pub fn of(tenant: T, name: L) -> Self {
        Self { tenant: Some(tenant), name }
    }
}

/// Which limit leaves no room. The caller may try again soon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overloaded {
    /// That of all tenants together.
    All,
    /// That of the tenant; others have room.
    Tenant,
    /// That of the lane; other lanes of the tenant have room.
    Lane,
    /// The longest time to wait for a permit has passed.
    Wait,
}

impl fmt::Display for Overloaded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::All => "too much is waiting",
            Self::Tenant => "too much of the tenant is waiting",
            Self::Lane => "too much is waiting in the lane",
            Self::Wait => "the wait was too long",
        })
    }
}

impl std::error::Error for Overloaded {}
