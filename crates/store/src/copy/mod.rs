//! Copies a tenant from one database into another, row by row. A copy leaves equal rows alone, so after an interruption, or
//! after more writes to the source, the operator runs it again. A copy reads one snapshot of the source (docs/adr/0011).

mod copier;
mod digest_tenant;
mod error;
mod pairs;
mod pass;
mod table_cursor;
mod version;

use pointbook_domain::Tenant;

use self::copier::Copier;
pub use self::digest_tenant::{TenantDigest, digest_tenant};
pub use self::error::CopyError;
use self::version::Versions;
use crate::ports::Database;

/// What a copy came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CopyReport {
    /// Rows that the target lacked.
    pub added: u64,
    /// Rows that were another in the target.
    pub changed: u64,
    /// Rows that the source does not have.
    pub removed: u64,
    /// What stood in the source at the beginning.
    pub source: TenantDigest,
    pub target: TenantDigest,
}

/// Makes the target's rows of this tenant those that the source has now; `progress` hears what is done and
/// with how many rows. What the source writes meanwhile is not copied. The ledger of the target may lack rows,
/// but not have others: it is compared before anything is written.
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
    let target = target.tenant(&tenant.id);
    let source = source.tenant(&tenant.id).row_snapshot().await.map_err(CopyError::Source)?;
    let mut copier = Copier {
        source: &*source,
        target: &*target,
        progress: &mut progress,
        versions: Versions::read(&*source, &*target).await?,
        added: 0,
        changed: 0,
        removed: 0,
    };
    copier.copy().await?;
    let Copier { added, changed, removed, .. } = copier;
    progress("digests", added + changed + removed);
    let target = target.row_snapshot().await.map_err(CopyError::Target)?;
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
