//! Copying a tenant from one database into another, row by row: what the target has already is left alone,
//! so that a copy which was interrupted, or whose source went on, is simply made again.

mod pairs;

use pointbook_domain::Tenant;

use self::pairs::{Pair, Pairs};
use crate::StoreError;
use crate::digest_tenant::{TenantDigest, digest_tenant};
use crate::ports::{Cell, Database, Row, TenantData};
use crate::tables::{TABLES, Table};

/// What a copy came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CopyReport {
    /// Rows that the target lacked.
    pub added: u64,
    /// Rows that were another in the target.
    pub changed: u64,
    /// Rows that the source does not have.
    pub removed: u64,
    /// What stands in the source after the copy.
    pub source: TenantDigest,
    /// What stands in the target.
    pub target: TenantDigest,
}

/// Why a tenant was not copied.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// The target has another tenant of this slug and environment.
    #[error("the target has another tenant of this name")]
    NameTaken,
    /// Another tenant of the target answers at the base URL.
    #[error("in the target, {0} has the base URL of this tenant")]
    BaseUrlTaken(String),
    /// The target recorded what the source did not.
    #[error("the target's ledger went on by itself, nothing was copied: {0} is not in the source")]
    LedgerWentOn(String),
    /// Both recorded something else under one key.
    #[error("the ledgers differ, nothing was copied: {row}, column {column}")]
    LedgersDiffer {
        /// The row, by table and key.
        row: String,
        /// The first column that differs.
        column: &'static str,
    },
    /// Rows of the ledger were there, with other content or another key, when they were to be added.
    #[error("somebody records in the target while it is copied into")]
    TargetInUse,
    /// The database that is copied from failed.
    #[error("the source cannot be read")]
    Source(#[source] StoreError),
    /// The database that is copied into failed.
    #[error("the target cannot be used")]
    Target(#[source] StoreError),
}

/// Makes the target's rows of this tenant those of the source; `progress` hears what is done and with how
/// many rows. The ledger of the target may lack rows, but not have others: it is
/// compared before anything is written.
///
/// # Errors
/// [`CopyError`]; where a store failed, the copy may be made again.
pub async fn copy_tenant(
    source: &dyn Database,
    target: &dyn Database,
    tenant: &Tenant,
    mut progress: impl FnMut(&'static str, u64) + Send,
) -> Result<CopyReport, CopyError> {
    check_addresses(target, tenant).await?;
    let (source, target) = (source.tenant(&tenant.id), target.tenant(&tenant.id));
    let mut copier = Copier {
        source: &*source,
        target: &*target,
        progress: &mut progress,
        added: 0,
        changed: 0,
        removed: 0,
    };
    copier.copy().await?;
    let Copier { added, changed, removed, .. } = copier;
    progress("digests", added + changed + removed);
    let (source, target) = tokio::join!(digest_tenant(&*source), digest_tenant(&*target));
    let (source, target) = (source.map_err(CopyError::Source)?, target.map_err(CopyError::Target)?);
    Ok(CopyReport { added, changed, removed, source, target })
}

/// Requests would reach the wrong one of two tenants.
async fn check_addresses(target: &dyn Database, tenant: &Tenant) -> Result<(), CopyError> {
    let there = target.tenants().await.map_err(CopyError::Target)?;
    for other in there.iter().filter(|other| other.id != tenant.id) {
        if other.slug == tenant.slug && other.environment == tenant.environment {
            return Err(CopyError::NameTaken);
        }
        if other.base_url.shares_address(&tenant.base_url) {
            return Err(CopyError::BaseUrlTaken(format!("{}/{}", other.slug, other.environment)));
        }
    }
    Ok(())
}

/// What is done to the target for a pair of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pass {
    /// Nothing: rows of a ledger that are not the source's are refused.
    Check,
    /// Rows that are to be written or removed are written without their parents, so that they may come and go
    /// in any order.
    Detach,
    /// Rows are written.
    Write,
    /// Rows are removed.
    Remove,
}

struct Copier<'c> {
    source: &'c dyn TenantData,
    target: &'c dyn TenantData,
    progress: &'c mut (dyn FnMut(&'static str, u64) + Send),
    added: u64,
    changed: u64,
    removed: u64,
}

impl Copier<'_> {
    async fn copy(&mut self) -> Result<(), CopyError> {
        for table in TABLES.iter().filter(|table| table.is_append_only) {
            self.pass(table, Pass::Check).await?;
        }
        let mut with_extra_rows = Vec::new();
        for table in &TABLES {
            if table.parent_column.is_some() {
                self.pass(table, Pass::Detach).await?;
            }
            let extra = self.pass(table, Pass::Write).await?;
            if extra > 0 && table.key_columns > 0 {
                with_extra_rows.push(table);
            }
        }
        // Last those that others point into.
        for table in with_extra_rows.into_iter().rev() {
            self.pass(table, Pass::Remove).await?;
        }
        Ok(())
    }

    /// Walks along a table; gives how many of its rows only the target has.
    async fn pass(&mut self, table: &'static Table, pass: Pass) -> Result<u64, CopyError> {
        let mut pairs = Pairs::new(self.source, self.target, table);
        let (mut batch, mut looked_at, mut extra) = (Vec::new(), 0, 0);
        while let Some(pair) = pairs.next().await? {
            looked_at += 1;
            extra += u64::from(matches!(pair, Pair::Extra(_)));
            self.count(table, pass, &pair);
            batch.extend(affected(table, pass, pair)?);
            if looked_at % u64::from(table.rows_per_page) == 0 {
                self.send(table, pass, &mut batch).await?;
                (self.progress)(table.name, looked_at);
            }
        }
        self.send(table, pass, &mut batch).await?;
        (self.progress)(table.name, looked_at);
        Ok(extra)
    }

    /// Counts what differs, in the first pass that writes: the next one finds other rows.
    fn count(&mut self, table: &Table, pass: Pass, pair: &Pair) {
        let first = if table.parent_column.is_some() { Pass::Detach } else { Pass::Write };
        match pair {
            Pair::Lacking(_) if pass == first => self.added += 1,
            Pair::Both { source, target } if pass == first && source != target => self.changed += 1,
            Pair::Extra(_) if pass == Pass::Remove => self.removed += 1,
            Pair::Lacking(_) | Pair::Both { .. } | Pair::Extra(_) => {}
        }
    }

    async fn send(
        &mut self,
        table: &'static Table,
        pass: Pass,
        batch: &mut Vec<Row>,
    ) -> Result<(), CopyError> {
        let rows = std::mem::take(batch);
        if rows.is_empty() {
            return Ok(());
        }
        match pass {
            Pass::Check => Ok(()),
            Pass::Detach | Pass::Write => {
                let written = self.target.write_rows(table, &rows).await.map_err(CopyError::Target)?;
                if written == rows.len() as u64 { Ok(()) } else { Err(CopyError::TargetInUse) }
            }
            Pass::Remove => self.target.remove_rows(table, &rows).await.map_err(CopyError::Target),
        }
    }
}

/// The row that a pass writes or removes because of a pair, if any.
fn affected(table: &Table, pass: Pass, pair: Pair) -> Result<Option<Row>, CopyError> {
    match (pass, pair) {
        (_, Pair::Both { source, target }) if source == target => Ok(None),
        (Pass::Check, Pair::Both { source, target }) => Err(difference(table, &source, &target)),
        (Pass::Check, Pair::Extra(row)) => Err(CopyError::LedgerWentOn(table.describe(&row))),
        (Pass::Detach, Pair::Lacking(row) | Pair::Both { source: row, .. } | Pair::Extra(row)) => {
            Ok(Some(detached(table, row)))
        }
        (Pass::Write, Pair::Lacking(row) | Pair::Both { source: row, .. })
        | (Pass::Remove, Pair::Extra(row)) => Ok(Some(row)),
        (Pass::Check | Pass::Remove, Pair::Lacking(_))
        | (Pass::Write, Pair::Extra(_))
        | (Pass::Remove, Pair::Both { .. }) => Ok(None),
    }
}

fn difference(table: &Table, source: &Row, target: &Row) -> CopyError {
    let mut columns = table.columns.iter().zip(source.iter().zip(target));
    let differing = columns.find(|(_, (source, target))| source != target);
    let column = differing.map(|(column, _)| column.name).unwrap_or_default();
    CopyError::LedgersDiffer { row: table.describe(source), column }
}

/// The row without its parent.
fn detached(table: &Table, mut row: Row) -> Row {
    if let Some(parent) = table.parent_column.and_then(|place| row.get_mut(place)) {
        *parent = Cell::Null;
    }
    row
}
