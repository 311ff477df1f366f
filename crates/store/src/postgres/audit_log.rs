//! Adds entries to the audit log, and removes old ones.

use pointbook_domain::{AuditChain, AuditEntry, NewAuditEntry};

use crate::audit_log::append as link_all;
use crate::postgres::connection::Transaction;
use crate::postgres::error::Outcome;
use crate::postgres::pipeline::both;
use crate::postgres::row::missing;
use crate::schema::{Dialect, OnConflict, Statement};
use crate::{select, statement};

/// Adds entries at the end of the chain. Locks the chain until the end of the transaction. Call it after every other statement:
/// no transaction waits for another lock while it holds this one, so there is no deadlock, and the lock is short.
pub(crate) async fn append(database: &Transaction, tenant: &str, entries: &[NewAuditEntry]) -> Outcome<()> {
    if entries.is_empty() {
        return Ok(());
    }
    let mut chain = hold_chain(database, tenant).await?;
    let entries = link_all(&mut chain, entries);
    let insert = statement!(Statement::insert::<AuditEntry>(Dialect::Postgres, OnConflict::Fail));
    let update = "UPDATE audit_chains SET last_seq = $2, last_hash = $3 WHERE tenant_id = $1";
    let last_seq = chain.last_seq.cast_signed();
    both(
        database.write_all(insert, tenant, &entries),
        database.execute(update, &[&tenant, &last_seq, &chain.last_hash.as_slice()]),
    )
    .await
    .map(drop)
}

/// Locks and reads the chain. Creates it for the first entry of a tenant.
async fn hold_chain(database: &Transaction, tenant: &str) -> Outcome<AuditChain> {
    if let Some(chain) = held(database, tenant).await? {
        return Ok(chain);
    }
    let insert = statement!(Statement::insert::<AuditChain>(Dialect::Postgres, OnConflict::Keep));
    database.write(insert, tenant, &[AuditChain::EMPTY]).await?;
    held(database, tenant).await?.ok_or_else(|| missing("audit_chains", tenant))
}

async fn held(database: &Transaction, tenant: &str) -> Outcome<Option<AuditChain>> {
    let hold = select!(AuditChain, "WHERE tenant_id = $1 FOR UPDATE");
    database.one_of(("audit_chains", 0), hold, &[&tenant]).await
}
