//! Reading the ledger in the order of recording.

use pointbook_app::ports::LedgerEntry;
use pointbook_schema::select;

use crate::connection::Connection;
use crate::error::Outcome;

pub(super) async fn after(
    database: &Connection,
    tenant: &str,
    user: &str,
    seq: u64,
    limit: u32,
) -> Outcome<Vec<LedgerEntry>> {
    let select = select!(
        LedgerEntry,
        "WHERE tenant_id = $1 AND (user_id, seq) > ($2, $3) ORDER BY user_id, seq LIMIT $4"
    );
    // No stored row is beyond what is stored as a signed number.
    let seq = i64::try_from(seq).unwrap_or(i64::MAX);
    database.all(select, &[&tenant, &user, &seq, &i64::from(limit)]).await
}
