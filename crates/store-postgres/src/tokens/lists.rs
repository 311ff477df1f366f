//! Many tokens at a time: pages of a list, and those that ended long ago.

use pointbook_app::ports::TokenFilter;
use pointbook_domain::{Timestamp, TokenHash, TokenKind, TokenRecord};
use tokio_postgres::Row;

use super::read;
use crate::connection::{Connection, Transaction};
use crate::error::Outcome;
use crate::row::{self, Record};

pub(super) async fn page(
    database: &Connection,
    tenant: &str,
    filter: &TokenFilter,
    after: Option<&TokenHash>,
    limit: u32,
) -> Outcome<Vec<TokenRecord>> {
    let (after, limit) = (after.map_or(&[][..], |hash| &hash.0), i64::from(limit));
    let rows = match filter {
        TokenFilter::All => {
            let select = "SELECT user_id, kind, created_at, expires_at, revoked_at, label, hash FROM tokens
                          WHERE tenant_id = $1 AND hash > $2 ORDER BY hash LIMIT $3";
            database.rows(select, &[&tenant, &after, &limit]).await?
        }
        TokenFilter::Of(TokenKind::Customer(user)) => {
            let select = "SELECT user_id, kind, created_at, expires_at, revoked_at, label, hash FROM tokens
                          WHERE tenant_id = $1 AND user_id = $4 AND hash > $2 ORDER BY hash LIMIT $3";
            database.rows(select, &[&tenant, &after, &limit, &user.as_str()]).await?
        }
        TokenFilter::Of(TokenKind::SuperUser) => {
            let select = "SELECT user_id, kind, created_at, expires_at, revoked_at, label, hash FROM tokens
                          WHERE tenant_id = $1 AND user_id IS NULL AND hash > $2 ORDER BY hash LIMIT $3";
            database.rows(select, &[&tenant, &after, &limit]).await?
        }
        TokenFilter::WithId(id) => {
            let [first, last] = id.hashes();
            let select = "SELECT user_id, kind, created_at, expires_at, revoked_at, label, hash FROM tokens
                          WHERE tenant_id = $1 AND hash > $2 AND hash >= $4 AND hash <= $5 ORDER BY hash LIMIT $3";
            database.rows(select, &[&tenant, &after, &limit, &first.0.as_slice(), &last.0.as_slice()]).await?
        }
    };
    rows.iter().map(record).collect()
}

fn record(row: &Row) -> Outcome<TokenRecord> {
    let hash = TokenHash(Record::new("tokens", 1, row).read(6, row::hash)?);
    read(row, hash)
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
        let rows = database.rows(select, &[&tenant, &ended_before.as_micros(), &i64::from(left)]).await?;
        let hash = |row| Record::new("tokens", 0, row).read(1, row::hash);
        let hashes: Vec<[u8; 32]> = rows.iter().map(hash).collect::<Outcome<_>>()?;
        let hashes: Vec<&[u8]> = hashes.iter().map(<[u8; 32]>::as_slice).collect();
        let delete = "DELETE FROM tokens WHERE tenant_id = $1 AND hash = ANY($2::bytea[])";
        let count = database.execute(delete, &[&tenant, &hashes]).await?;
        // No more than the limit.
        removed += u32::try_from(count).unwrap_or(left);
    }
    Ok(removed)
}
