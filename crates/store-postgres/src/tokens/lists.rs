//! Many tokens at a time: pages of a list, and those that ended long ago.

use pointbook_app::ports::TokenFilter;
use pointbook_domain::{Timestamp, TokenHash, TokenKind, TokenRecord};
use pointbook_schema::{ColumnAt, Statement, select, statement};

use crate::connection::{Connection, Params, Transaction};
use crate::error::Outcome;

pub(super) async fn page(
    database: &Connection,
    tenant: &str,
    filter: &TokenFilter,
    after: Option<&TokenHash>,
    limit: u32,
) -> Outcome<Vec<TokenRecord>> {
    let (after, limit) = (after.map_or(&[][..], |hash| &hash.0), i64::from(limit));
    match filter {
        TokenFilter::All => {
            let select = select!(TokenRecord, "WHERE tenant_id = $1 AND hash > $2 ORDER BY hash LIMIT $3");
            database.all(select, &[&tenant, &after, &limit]).await
        }
        TokenFilter::Of(TokenKind::Customer(user)) => {
            let select = select!(
                TokenRecord,
                "WHERE tenant_id = $1 AND user_id = $4 AND hash > $2 ORDER BY hash LIMIT $3"
            );
            database.all(select, &[&tenant, &after, &limit, &user.as_str()]).await
        }
        TokenFilter::Of(TokenKind::SuperUser) => {
            let select = select!(
                TokenRecord,
                "WHERE tenant_id = $1 AND user_id IS NULL AND hash > $2 ORDER BY hash LIMIT $3"
            );
            database.all(select, &[&tenant, &after, &limit]).await
        }
        TokenFilter::WithId(id) => {
            let [first, last] = id.hashes();
            let select = select!(
                TokenRecord,
                "WHERE tenant_id = $1 AND hash > $2 AND hash >= $4 AND hash <= $5 ORDER BY hash LIMIT $3"
            );
            let params: Params<'_> = &[&tenant, &after, &limit, &first.0.as_slice(), &last.0.as_slice()];
            database.all(select, params).await
        }
    }
}

/// Leaves out what another instance removes at this moment. The tokens are read first: a limit that is not known when
/// a statement is planned would have it read all tokens there are.
pub(super) async fn remove_ended(
    database: &Transaction,
    tenant: &str,
    ended_before: Timestamp,
    limit: u32,
) -> Outcome<u32> {
    let selects = [
        "SELECT user_id, hash FROM tokens WHERE tenant_id = $1 AND expires_at < $2
         ORDER BY expires_at LIMIT $3 FOR UPDATE SKIP LOCKED",
        "SELECT user_id, hash FROM tokens WHERE tenant_id = $1 AND revoked_at < $2
         ORDER BY revoked_at LIMIT $3 FOR UPDATE SKIP LOCKED",
    ];
    let mut removed = 0;
    for select in selects {
        let left = limit.saturating_sub(removed);
        let params: Params<'_> = &[&tenant, &ended_before.as_micros(), &i64::from(left)];
        let ended: Vec<(ColumnAt, TokenHash)> = database.all_of(("tokens", 0), select, params).await?;
        let hashes: Vec<(TokenHash,)> = ended.into_iter().map(|(_, hash)| (hash,)).collect();
        let delete = statement!(Statement::of_arrays::<(TokenHash,)>(
            "DELETE FROM tokens WHERE tenant_id = $1 AND hash = ANY ({arrays})"
        ));
        let count = database.write(delete, tenant, &hashes).await?;
        // No more than the limit.
        removed += u32::try_from(count).unwrap_or(left);
    }
    Ok(removed)
}
