//! The doors to the database for what belongs to one tenant.

use std::sync::Arc;

use pointbook_app::StoreResult;

use super::Access;
use crate::connection::{Connection, Transaction};
use crate::error::Outcome;
use crate::scoped::Scoped;

/// The doors of [`Access`], behind which only the rows of one tenant are.
#[derive(Clone)]
pub(crate) struct TenantAccess {
    access: Arc<Access>,
    tenant: Arc<str>,
}

impl TenantAccess {
    pub(crate) fn new(access: Arc<Access>, tenant: Arc<str>) -> Self {
        Self { access, tenant }
    }

    /// As [`Access::read`].
    pub(crate) async fn read<'e, T>(
        &self,
        operation: &'static str,
        work: impl for<'c> Fn(&'c Connection) -> Scoped<'e, 'c, Outcome<T>> + Sync,
    ) -> StoreResult<T> {
        self.access.read(Some(&self.tenant), operation, work).await
    }

    /// As [`Access::read_snapshot`].
    pub(crate) async fn read_snapshot<'e, T>(
        &self,
        operation: &'static str,
        work: impl for<'c> Fn(&'c Transaction) -> Scoped<'e, 'c, Outcome<T>> + Sync,
    ) -> StoreResult<T> {
        self.access.read_snapshot(Some(&self.tenant), operation, work).await
    }

    /// As [`Access::write`].
    pub(crate) async fn write<'e, T>(
        &self,
        operation: &'static str,
        work: impl for<'c> Fn(&'c Transaction) -> Scoped<'e, 'c, Outcome<T>> + Sync,
    ) -> StoreResult<T> {
        self.access.write(Some(&self.tenant), operation, work).await
    }
}
