//! The doors to the database for what belongs to one tenant.

use std::sync::Arc;

use pointbook_app::StoreResult;
use pointbook_app::commands::Lane;

use super::Access;
use crate::connection::{Connection, Transaction};
use crate::error::Outcome;
use crate::reads::TenantReads;
use crate::scoped::Scoped;
use crate::turns::{TenantTurns, Turn};

/// The doors of [`Access`], behind which only the rows of one tenant are.
#[derive(Clone)]
pub(crate) struct TenantAccess {
    access: Arc<Access>,
    tenant: Arc<str>,
    turns: Arc<TenantTurns>,
    /// None where short reads share no connections.
    reads: Option<Arc<TenantReads>>,
}

impl TenantAccess {
    pub(crate) fn new(
        access: Arc<Access>,
        tenant: Arc<str>,
        turns: Arc<TenantTurns>,
        reads: Option<Arc<TenantReads>>,
    ) -> Self {
        Self { access, tenant, turns, reads }
    }

    /// The lines in which writes wait.
    pub(crate) fn turns(&self) -> &Arc<TenantTurns> {
        &self.turns
    }

    /// As [`Access::read`].
    pub(crate) async fn read<'e, T>(
        &self,
        operation: &'static str,
        work: impl for<'c> Fn(&'c Connection) -> Scoped<'e, 'c, Outcome<T>> + Sync,
    ) -> StoreResult<T> {
        self.access.read(Some(&self.tenant), operation, work).await
    }

    /// As [`Access::read_short`], when it is this one's turn.
    pub(crate) async fn read_short<'e, T>(
        &self,
        operation: &'static str,
        work: impl for<'c> Fn(&'c Connection) -> Scoped<'e, 'c, Outcome<T>> + Sync,
    ) -> StoreResult<T> {
        let _turn = match &self.reads {
            Some(reads) => Some(reads.turn().await?),
            None => None,
        };
        self.access.read_short(&self.tenant, operation, work).await
    }

    /// As [`Access::read_snapshot`].
    pub(crate) async fn read_snapshot<'e, T>(
        &self,
        operation: &'static str,
        work: impl for<'c> Fn(&'c Transaction) -> Scoped<'e, 'c, Outcome<T>> + Sync,
    ) -> StoreResult<T> {
        self.access.read_snapshot(Some(&self.tenant), operation, work).await
    }

    /// As [`Access::open_snapshot`].
    pub(crate) async fn open_snapshot(&self, operation: &'static str) -> StoreResult<Transaction> {
        self.access.open_snapshot(&self.tenant, operation).await
    }

    /// As [`Access::write`], for the back office.
    pub(crate) async fn write<'e, T>(
        &self,
        operation: &'static str,
        work: impl for<'c> Fn(&'c Transaction) -> Scoped<'e, 'c, Outcome<T>> + Sync,
    ) -> StoreResult<T> {
        self.write_in(Lane::BackOffice, operation, work).await
    }

    /// As [`Access::write`], when it is the turn of this lane.
    pub(crate) async fn write_in<'e, T>(
        &self,
        lane: Lane,
        operation: &'static str,
        work: impl for<'c> Fn(&'c Transaction) -> Scoped<'e, 'c, Outcome<T>> + Sync,
    ) -> StoreResult<T> {
        let place = self.turns.enter(lane)?;
        self.write_now(&place.turn().await, operation, work).await
    }

    /// As [`Access::write`], for whoever has the turn.
    pub(crate) async fn write_now<'e, T>(
        &self,
        _turn: &Turn,
        operation: &'static str,
        work: impl for<'c> Fn(&'c Transaction) -> Scoped<'e, 'c, Outcome<T>> + Sync,
    ) -> StoreResult<T> {
        self.access.write(Some(&self.tenant), operation, work).await
    }
}
