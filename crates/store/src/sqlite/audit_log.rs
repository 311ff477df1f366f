//! Adds entries to the audit log, and removes old ones.

use pointbook_domain::{AuditChain, AuditEntry, NewAuditEntry};
use rusqlite::{Transaction, params};

use crate::audit_log::{AuditSeal, append as link_all};
use crate::schema::{Dialect, OnConflict, Statement};
use crate::sqlite::error::Outcome;
use crate::sqlite::row;
use crate::sqlite::row::wrong;
use crate::{select, statement};

/// Adds entries at the end of the chain.
pub(crate) fn append(database: &Transaction<'_>, tenant: &str, entries: &[NewAuditEntry]) -> Outcome<()> {
    if entries.is_empty() {
        return Ok(());
    }
    let stored = row::one(database, select!(AuditChain, "WHERE tenant_id = ?1"), [tenant])?;
    let mut chain = stored.unwrap_or(AuditChain::EMPTY);
    let insert = statement!(Statement::insert::<AuditEntry>(Dialect::Sqlite, OnConflict::Fail));
    for entry in link_all(&mut chain, entries) {
        row::write(database, insert, tenant, &entry)?;
    }
    let replace = statement!(Statement::insert::<AuditChain>(Dialect::Sqlite, OnConflict::Replace));
    row::write(database, replace, tenant, &chain).map(drop)
}

/// Removes the oldest entries, and moves the checkpoint.
pub(crate) fn seal(database: &Transaction<'_>, tenant: &str, seal: &AuditSeal) -> Outcome<()> {
    let AuditSeal { from_seq, to_seq, to_hash, at } = seal;
    let (from, to) = (from_seq.cast_signed(), to_seq.cast_signed());
    let mut update = database.prepare_cached(
        "UPDATE audit_chains SET sealed_seq = ?2, sealed_hash = ?3, sealed_at = ?4
         WHERE tenant_id = ?1 AND sealed_seq = ?5",
    )?;
    if update.execute(params![tenant, to, to_hash, at.as_micros(), from])? != 1 {
        return Err(wrong("audit_chains", tenant, "has changed since it was read"));
    }
    let mut delete =
        database.prepare_cached("DELETE FROM audit_entries WHERE tenant_id = ?1 AND seq <= ?2")?;
    delete.execute(params![tenant, to])?;
    Ok(())
}
