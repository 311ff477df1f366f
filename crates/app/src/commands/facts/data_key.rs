//! The sealed data key of the tenant.

use pointbook_schema::rows::SealedDataKey;

use super::Facts;
use crate::commands::{CommandError, DataKeyChange};

impl Facts {
    /// The stored data key; `None` when the tenant has none.
    pub fn put_data_key(&mut self, data_key: Option<SealedDataKey>) {
        self.data_key.get_or_insert(data_key);
    }

    pub(crate) fn data_key(&self) -> Result<Option<&SealedDataKey>, CommandError> {
        Ok(self.data_key.as_ref().ok_or_else(CommandError::not_loaded("data_keys"))?.as_ref())
    }

    /// Stores a data key in place of the loaded one.
    pub(crate) fn write_data_key(&mut self, after: SealedDataKey) -> Result<(), CommandError> {
        let stored = self.data_key.as_mut().ok_or_else(CommandError::not_loaded("data_keys"))?;
        let replaced = stored.replace(after.clone());
        // The guard is the row in the database, not the one of a command before this one.
        let before = self.changes.data_key.take().map_or(replaced, |change| change.before);
        self.changes.data_key = Some(DataKeyChange { before, after });
        Ok(())
    }
}
