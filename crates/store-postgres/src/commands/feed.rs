//! Adds the blocks of a commit to the feed, and removes old ones.

use pointbook_app::commands::{BlockRemoval, Changes};
use pointbook_app::feed::{NewBlock, feed_blocks};
use pointbook_schema::feed_entries_to_json;

use crate::connection::{Params, Transaction};
use crate::error::{Outcome, StoreFailure};

/// Adds the entries of a transaction. The ordinals come from a sequence, after the transaction locked everything: what follows
/// a change of the same user has a later one.
pub(super) async fn append(database: &Transaction, tenant: &str, changes: &Changes) -> Outcome<()> {
    let insert = "INSERT INTO feed_blocks (tenant_id, id, created_at, entry_count, entries)
                  VALUES ($1, $2, $3, $4, $5)";
    for NewBlock { id, at, entries } in feed_blocks(changes) {
        let count = i64::try_from(entries.len()).unwrap_or(i64::MAX);
        let given: Params<'_> = &[&tenant, &id, &at.as_micros(), &count, &feed_entries_to_json(&entries)];
        database.execute(insert, given).await?;
    }
    Ok(())
}

/// Removes the oldest blocks.
pub(super) async fn remove(database: &Transaction, tenant: &str, removal: BlockRemoval) -> Outcome<()> {
    let (from, to) = (removal.from_position.cast_signed(), removal.to_position.cast_signed());
    let update = "UPDATE feeds SET removed_position = $2 WHERE tenant_id = $1 AND removed_position = $3";
    if database.execute(update, &[&tenant, &to, &from]).await? != 1 {
        return Err(StoreFailure::Overtaken);
    }
    let delete = "DELETE FROM feed_blocks WHERE tenant_id = $1 AND last_position <= $2";
    database.execute(delete, &[&tenant, &to]).await.map(drop)
}
