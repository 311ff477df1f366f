use async_trait::async_trait;

use super::rows::read_one;
use super::{RowStore, StoreResult};
use crate::schema::Query;
use crate::schema::rows::SealedDataKey;

/// The data key of one tenant, sealed with a master key.
#[async_trait]
pub trait DataKeyStore: RowStore {
    /// `None` until something of the tenant is sealed for the first time.
    async fn data_key(&self) -> StoreResult<Option<SealedDataKey>> {
        read_one(self, Query::of::<SealedDataKey>("data_key", &[])).await
    }
}

impl<S: RowStore + ?Sized> DataKeyStore for S {}
