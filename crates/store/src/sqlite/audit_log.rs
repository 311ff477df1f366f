//! Adds entries to the audit log.

use pointbook_domain::{AuditChain, AuditEntry, NewAuditEntry};
use rusqlite::Transaction;

use crate::audit_log::append as link_all;
use crate::commands::{RowKind, Work};
use crate::schema::{Dialect, OnConflict, Statement};
use crate::sqlite::error::Outcome;
use crate::sqlite::row;
use crate::statement;

/// Adds entries at the end of the chain.
pub(crate) fn append(database: &Transaction<'_>, tenant: &str, entries: &[NewAuditEntry]) -> Outcome<()> {
    if entries.is_empty() {
        return Ok(());
    }
    let select = RowKind::of::<AuditChain>().statement(Dialect::Sqlite, Work::Select(None));
    let mut chain = row::one(database, &select.sql, [tenant])?.unwrap_or(AuditChain::EMPTY);
    let insert = statement!(Statement::insert::<AuditEntry>(Dialect::Sqlite, OnConflict::Fail));
    for entry in link_all(&mut chain, entries) {
        row::write(database, insert, tenant, &entry)?;
    }
    let replace = statement!(Statement::insert::<AuditChain>(Dialect::Sqlite, OnConflict::Replace));
    row::write(database, replace, tenant, &chain).map(drop)
}
