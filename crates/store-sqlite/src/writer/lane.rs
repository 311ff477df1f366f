//! Whose turn a write takes.

use std::sync::Arc;

use pointbook_domain::{OrderId, UserId};

/// The queue in which a write waits. Tenants take turns, and the lanes of a tenant do, so whoever writes
/// much is waited for by nobody else; within a lane the order of asking holds. Cheap to clone.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Lane {
    /// What one user does, or what is recorded of one user: orders, activities.
    User {
        /// The user's tenant.
        tenant: Arc<str>,
        /// The user's id.
        user: Arc<str>,
    },
    /// The steps of one order.
    Order {
        /// The order's tenant.
        tenant: Arc<str>,
        /// The order's id.
        order: Arc<str>,
    },
    /// What the back office of one tenant does: imports, catalogue, users, tokens.
    Tenant(Arc<str>),
    /// What the service does for itself: tenants, cleaning.
    Service,
}

impl Lane {
    /// The lane of one user.
    pub(crate) fn user(tenant: &Arc<str>, user: &UserId) -> Self {
        Self::User { tenant: tenant.clone(), user: user.as_str().into() }
    }

    /// The lane of one order: a back office may close many at a time.
    pub(crate) fn order(tenant: &Arc<str>, order: &OrderId) -> Self {
        Self::Order { tenant: tenant.clone(), order: order.as_str().into() }
    }

    /// The lane of a tenant's back office.
    pub(crate) fn tenant(tenant: &Arc<str>) -> Self {
        Self::Tenant(tenant.clone())
    }

    /// Whose turn it takes: a tenant's, or that of the service itself.
    pub(super) fn tenant_id(&self) -> Option<&Arc<str>> {
        match self {
            Self::User { tenant, .. } | Self::Order { tenant, .. } | Self::Tenant(tenant) => Some(tenant),
            Self::Service => None,
        }
    }
}
