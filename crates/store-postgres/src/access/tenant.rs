//! The doors to the database for what belongs to one tenant.

use std::sync::Arc;

use pointbook_app::StoreResult;
use pointbook_app::commands::Lane;
use pointbook_queue as queue;

use super::Access;
use crate::connection::{Connection, Transaction};
use crate::error::Outcome;
use crate::permits::{Admission, ReadPermits, WritePermit, WritePermits, Writer};
use crate::scoped::Scoped;

/// The doors of [`Access`], behind which only the rows of one tenant are.
#[derive(Clone)]
pub(crate) struct TenantAccess {
    access: Arc<Access>,
    tenant: Arc<str>,
    writes: WritePermits,
    /// None where short reads share no connections.
    reads: Option<ReadPermits>,
}

impl TenantAccess {
    pub(crate) fn new(
        access: Arc<Access>,
        tenant: Arc<str>,
        writes: WritePermits,
        reads: Option<ReadPermits>,
    ) -> Self {
        Self { access, tenant, writes, reads }
    }

    /// As [`WritePermits::admit`].
    pub(crate) fn admit(&self, lane: Lane) -> StoreResult<Admission> {
        Ok(self.writes.admit(&self.tenant, lane)?)
    }

    /// As [`WritePermits::acquire`].
    pub(crate) async fn write_permit(&self, writer: Writer) -> StoreResult<WritePermit> {
        Ok(self.writes.acquire(&self.tenant, writer).await?)
    }

    pub(crate) async fn read<'e, T>(
        &self,
        operation: &'static str,
        work: impl for<'c> Fn(&'c Connection) -> Scoped<'e, 'c, Outcome<T>> + Sync,
    ) -> StoreResult<T> {
        self.access.read(Some(&self.tenant), operation, work).await
    }

    /// As [`Access::read_short`], with a permit.
    pub(crate) async fn read_short<'e, T>(
        &self,
        operation: &'static str,
        work: impl for<'c> Fn(&'c Connection) -> Scoped<'e, 'c, Outcome<T>> + Sync,
    ) -> StoreResult<T> {
        let _permit = match &self.reads {
            Some(reads) => Some(reads.acquire(queue::Lane::of(self.tenant.clone(), ())).await?),
            None => None,
        };
        self.access.read_short(&self.tenant, operation, work).await
    }

    pub(crate) async fn read_snapshot<'e, T>(
        &self,
        operation: &'static str,
        work: impl for<'c> Fn(&'c Transaction) -> Scoped<'e, 'c, Outcome<T>> + Sync,
    ) -> StoreResult<T> {
        self.access.read_snapshot(Some(&self.tenant), operation, work).await
    }

    pub(crate) async fn open_snapshot(&self, operation: &'static str) -> StoreResult<Transaction> {
        self.access.open_snapshot(&self.tenant, operation).await
    }

    /// As [`Access::write`], for the back office.
    pub(crate) async fn write<'e, T>(
        &self,
        operation: &'static str,
        work: impl for<'c> Fn(&'c Transaction) -> Scoped<'e, 'c, Outcome<T>> + Sync,
    ) -> StoreResult<T> {
        let _admission = self.admit(Lane::BackOffice)?;
        self.write_now(&self.write_permit(Writer::BackOffice).await?, operation, work).await
    }

    /// As [`Access::write`], with a permit.
    pub(crate) async fn write_now<'e, T>(
        &self,
        _permit: &WritePermit,
        operation: &'static str,
        work: impl for<'c> Fn(&'c Transaction) -> Scoped<'e, 'c, Outcome<T>> + Sync,
    ) -> StoreResult<T> {
        self.access.write(Some(&self.tenant), operation, work).await
    }
}
