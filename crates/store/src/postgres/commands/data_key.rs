//! Loads and saves the data key of a tenant.

use crate::commands::{DataKeyChange, Facts, Needs};
use crate::postgres::connection::Transaction;
use crate::postgres::error::Outcome;
use crate::postgres::row;
use crate::schema::rows::SealedDataKey;
use crate::schema::{Dialect, OnConflict, Statement};
use crate::{select, statement};

/// Locks the row until the transaction ends. Sends nothing when no command needs it.
pub(super) async fn load(
    database: &Transaction,
    tenant: &str,
    needs: &Needs,
    facts: &mut Facts,
) -> Outcome<()> {
    if needs.data_key {
        let select = select!(SealedDataKey, "WHERE tenant_id = $1 FOR NO KEY UPDATE");
        let found = database.row(select, &[&tenant]).await?;
        facts.put_data_key(found.as_ref().map(row::read).transpose()?);
    }
    Ok(())
}

/// The new row, and the sealed bytes that were read.
type Resealed<'c> = (&'c str, &'c [u8], &'c [u8]);

/// Inserts the data key, or replaces exactly the row that was read. Either fails when another transaction was faster, and the
/// command is decided again.
pub(super) async fn save(
    database: &Transaction,
    tenant: &str,
    change: Option<&DataKeyChange>,
) -> Outcome<()> {
    let Some(DataKeyChange { before, after }) = change else { return Ok(()) };
    let Some(before) = before else {
        let insert = statement!(Statement::insert::<SealedDataKey>(Dialect::Postgres, OnConflict::Fail));
        return database.write_all(insert, tenant, &[after]).await;
    };
    let update = statement!(Statement::of_arrays::<Resealed<'_>>(
        "UPDATE data_keys SET master_key_id = given.master_key_id, sealed = given.sealed
         FROM unnest({arrays}) AS given (master_key_id, sealed, sealed_before)
         WHERE data_keys.tenant_id = $1 AND data_keys.sealed = given.sealed_before"
    ));
    let row: Resealed<'_> = (&after.master_key_id, &after.sealed, &before.sealed);
    database.write_all(update, tenant, &[row]).await
}
