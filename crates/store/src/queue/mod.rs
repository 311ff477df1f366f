//! Bounded queues and permits. Tenants take turns by the time that they took, then the lanes of a tenant
//! (`docs/internals/fairness.md`).
//!
//! [`Queue`] is a plain data structure: waiting jobs, the permits of each lane, each tenant and all together, and the time that
//! each tenant took. [`Permits`] gives permits to callers, who wait for them in such a queue.

pub(crate) mod fair;
mod gate;
mod limits;
mod permits;
mod shares;

use std::fmt;
use std::hash::Hash;

pub use self::gate::{Gate, GatedRequest};
pub use self::limits::{Bounds, Limits};
pub use self::permits::{Permit, Permits};
pub use crate::queue::fair::{Count, Next, Queue};

/// The name of a tenant or of a lane. It should be cheap to clone: each job clones it several times.
pub trait Key: Clone + Eq + Hash {}

impl<K: Clone + Eq + Hash> Key for K {}

/// A lane of a tenant, or of the service. Within a lane, the first job goes first.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Lane<T, L> {
    /// `None` for the service: the limits of tenants do not apply to it.
    pub tenant: Option<T>,
    /// Unique within the tenant.
    pub name: L,
}

impl<T, L> Lane<T, L> {
    pub fn of(tenant: T, name: L) -> Self {
        Self { tenant: Some(tenant), name }
    }
}

/// The exceeded limit. The caller may retry soon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overloaded {
    /// The limit of all tenants together.
    All,
    /// The limit of the tenant. Other tenants have room.
    Tenant,
    /// The limit of the lane. Other lanes of the tenant have room.
    Lane,
    /// The longest wait for a permit has passed.
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
