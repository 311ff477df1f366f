//! Loads and saves the data key of a tenant.

use rusqlite::{Transaction, params};

use crate::commands::DataKeyChange;
use crate::schema::rows::SealedDataKey;
use crate::schema::{Dialect, OnConflict, Statement};
use crate::sqlite::error::Outcome;
use crate::sqlite::row;
use crate::sqlite::row::wrong;
use crate::{select, statement};

pub(super) fn find(database: &Transaction<'_>, tenant: &str) -> Outcome<Option<SealedDataKey>> {
    row::one(database, select!(SealedDataKey, "WHERE tenant_id = ?1 ORDER BY tenant_id"), [tenant])
}

/// Inserts the data key, or replaces exactly the row that was read.
pub(super) fn save(database: &Transaction<'_>, tenant: &str, change: &DataKeyChange) -> Outcome<()> {
    let DataKeyChange { before, after } = change;
    let Some(before) = before else {
        let insert = statement!(Statement::insert::<SealedDataKey>(Dialect::Sqlite, OnConflict::Fail));
        return row::write(database, insert, tenant, after).map(drop);
    };
    let mut update = database.prepare_cached(
        "UPDATE data_keys SET master_key_id = ?2, sealed = ?3 WHERE tenant_id = ?1 AND sealed = ?4",
    )?;
    if update.execute(params![tenant, after.master_key_id, after.sealed, before.sealed])? == 1 {
        return Ok(());
    }
    Err(wrong("data_keys", tenant, "is no longer sealed as it was read"))
}
