//! Creating and changing users. Who is shut out is refused at once in this process, within the cache's
//! age in others.

use pointbook_domain::Timestamp;

use crate::ports::{PutUser, UserChange};
use crate::{ServedTenant, StoreResult};

/// Creates a user, or changes what the change names.
///
/// # Errors
/// When the store fails.
pub async fn put_user(tenant: &ServedTenant, change: &UserChange, now: Timestamp) -> StoreResult<PutUser> {
    let put = tenant.data.put_user(change, now).await?;
    if put.user.disabled_at.is_some() {
        tenant.principals.forget_all();
    }
    Ok(put)
}
