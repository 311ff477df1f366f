//! Many tokens at a time: pages of a list, and those that ended long ago.

use pointbook_app::ports::TokenFilter;
use pointbook_domain::{Timestamp, TokenHash, TokenRecord, UserId};
use pointbook_schema::select;
use rusqlite::{Connection, Transaction, params};

use crate::error::Outcome;
use crate::row;

pub(super) fn page(
    database: &Connection,
    tenant: &str,
    filter: &TokenFilter,
    after: Option<TokenHash>,
    limit: u32,
) -> Outcome<Vec<TokenRecord>> {
    let after = after.map(|hash| hash.0.to_vec()).unwrap_or_default();
    match filter {
        TokenFilter::All => {
            let select = select!(TokenRecord, "WHERE tenant_id = ?1 AND hash > ?2 ORDER BY hash LIMIT ?3");
            row::all(database, select, params![tenant, after, limit])
        }
        TokenFilter::Of(owner) => {
            // `IS`, because tokens of the back office have no user.
            let select = select!(
                TokenRecord,
                "INDEXED BY tokens_by_user
                 WHERE tenant_id = ?1 AND user_id IS ?4 AND hash > ?2 ORDER BY hash LIMIT ?3"
            );
            row::all(database, select, params![tenant, after, limit, owner.user().map(UserId::as_str)])
        }
        TokenFilter::WithId(id) => {
            let [first, last] = id.hashes();
            let select = select!(
                TokenRecord,
                "WHERE tenant_id = ?1 AND hash > ?2 AND hash >= ?4 AND hash <= ?5 ORDER BY hash LIMIT ?3"
            );
            row::all(database, select, params![tenant, after, limit, first.0, last.0])
        }
    }
}

/// Two statements, because each has an index of its own.
pub(super) fn remove_ended(
    database: &Transaction<'_>,
    tenant: &str,
    ended_before: Timestamp,
    limit: u32,
) -> Outcome<u32> {
    let statements = [
        "DELETE FROM tokens WHERE tenant_id = ?1 AND hash IN (
             SELECT hash FROM tokens INDEXED BY tokens_by_expiry
             WHERE tenant_id = ?1 AND expires_at < ?2 ORDER BY expires_at LIMIT ?3
         )",
        "DELETE FROM tokens WHERE tenant_id = ?1 AND hash IN (
             SELECT hash FROM tokens INDEXED BY tokens_by_revocation
             WHERE tenant_id = ?1 AND revoked_at < ?2 ORDER BY revoked_at LIMIT ?3
         )",
    ];
    let mut removed = 0;
    for sql in statements {
        let left = limit.saturating_sub(removed);
        let count = database.prepare_cached(sql)?.execute(params![tenant, ended_before.as_micros(), left])?;
        // No more than the limit.
        removed += u32::try_from(count).unwrap_or(left);
    }
    Ok(removed)
}
