//! Adds entries to the audit log.

use pointbook_domain::{AuditChain, AuditEntry, NewAuditEntry};

use crate::audit_log::append as link_all;
use crate::commands::{RowKind, Work};
use crate::postgres::connection::Transaction;
use crate::postgres::error::Outcome;
use crate::postgres::pipeline::both;
use crate::postgres::row::missing;
use crate::schema::{Dialect, Hold, OnConflict, Statement};
use crate::statement;

/// Adds entries at the end of the chain. Locks the chain until the end of the transaction. Call it after every other statement:
/// no transaction waits for another lock while it holds this one, so there is no deadlock, and the lock is short.
pub(crate) async fn append(database: &Transaction, tenant: &str, entries: &[NewAuditEntry]) -> Outcome<()> {
    if entries.is_empty() {
        return Ok(());
    }
    let mut chain = hold_chain(database, tenant).await?;
    let entries = link_all(&mut chain, entries);
    let insert = statement!(Statement::insert::<AuditEntry>(Dialect::Postgres, OnConflict::Fail));
    let replace = statement!(Statement::insert::<AuditChain>(Dialect::Postgres, OnConflict::Replace));
    let chain = [chain];
    both(database.write_all(insert, tenant, &entries), database.write_all(replace, tenant, &chain))
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
    let hold = RowKind::of::<AuditChain>().statement(Dialect::Postgres, Work::Select(Some(Hold::Waiting)));
    database.one_of(("audit_chains", 0), &hold.sql, &[&tenant]).await
}
