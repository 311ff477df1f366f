//! From a bearer token to the party that sent it.

use std::sync::Arc;

use pointbook_domain::{Principal, Timestamp};
use subtle::ConstantTimeEq;

use crate::{ServedTenant, StoreResult, token_hash};

/// Who sent this token; none when it is unknown, expired, revoked or its user disabled, which
/// nobody can tell apart.
///
/// # Errors
/// When the store fails.
pub async fn authenticate(
    tenant: &ServedTenant,
    token: &[u8],
    now: Timestamp,
) -> StoreResult<Option<Arc<Principal>>> {
    let hash = token_hash(token);
    if let Some(known) = tenant.principals.get(&hash, now) {
        return Ok(Some(known));
    }
    let revocations = tenant.principals.revocations();
    let found = tenant.data.find_token(&hash).await?;
    let good = found.filter(|found| {
        let same: bool = found.record.hash.0.ct_eq(&hash.0).into();
        same && found.record.is_good_at(now) && !found.user_disabled
    });
    Ok(good.map(|found| {
        let principal = Principal { kind: found.record.kind, expires_at: found.record.expires_at };
        tenant.principals.keep(hash, principal, now, revocations)
    }))
}
