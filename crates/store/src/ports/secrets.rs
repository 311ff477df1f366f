use async_trait::async_trait;
use pointbook_domain::Timestamp;

use super::rows::read_one;
use super::{RowStore, StoreResult};
use crate::schema::Query;
use crate::schema::rows::SealedDataKey;

/// The secrets of one tenant, from which keys are derived. A secret is written once and never changes, but a copy of
/// the tenant into this database replaces it.
#[async_trait]
pub trait SecretStore {
    /// The secret of this name. Where the tenant has no such secret, `fresh` becomes it, and `now` its time: of
    /// callers at the same moment, in any process, one wins and all get the same bytes.
    async fn secret(&self, name: &str, fresh: &[u8; 32], now: Timestamp) -> StoreResult<[u8; 32]>;
}

/// The data key of one tenant, sealed with a master key.
#[async_trait]
pub trait DataKeyStore: RowStore {
    /// `None` until something of the tenant is sealed for the first time.
    async fn data_key(&self) -> StoreResult<Option<SealedDataKey>> {
        read_one(self, Query::of::<SealedDataKey>("data_key", &[])).await
    }
}

impl<S: RowStore + ?Sized> DataKeyStore for S {}
