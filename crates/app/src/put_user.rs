//! Creating and changing users. Who is shut out is refused at once in this process, within the cache's
//! age in others.

use pointbook_domain::{Timestamp, TokenKind};

use crate::ports::{PutUser, UserChange};
use crate::principal_cache::Revocation;
use crate::{ServedTenant, StoreResult};

/// Creates a user, or changes what the change names. Shutting somebody out goes on when the caller
/// gives up.
///
/// # Errors
/// When the store fails.
pub async fn put_user(tenant: &ServedTenant, change: &UserChange, now: Timestamp) -> StoreResult<PutUser> {
    if change.disabled == Some(true) {
        let (data, change) = (tenant.data.clone(), change.clone());
        let revocation = Revocation::Of(TokenKind::Customer(change.id.clone()));
        let write = async move { data.put_user(&change, now).await };
        return tenant.principals.revoking(revocation, now, write).await;
    }
    let put = tenant.data.put_user(change, now).await?;
    if put.user.disabled_at.is_some() {
        // Another process shut them out, perhaps just now.
        tenant.principals.forget(&Revocation::Of(TokenKind::Customer(change.id.clone())), now);
    }
    Ok(put)
}
