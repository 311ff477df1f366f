//! Adds the blocks of a commit to the feed, and removes old ones.

use pointbook_domain::Feed;

use crate::commands::{BlockRemoval, Changes, FeedRestart};
use crate::feed::{NewBlock, feed_blocks};
use crate::postgres::connection::{Params, Transaction};
use crate::postgres::error::{Outcome, StoreFailure};
use crate::postgres::row::missing;
use crate::schema::{Dialect, OnConflict, Statement, feed_entries_to_json};
use crate::{select, statement};

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

/// Begins a new generation. A feed that was never read gets its row first.
pub(super) async fn restart(database: &Transaction, tenant: &str, restart: FeedRestart) -> Outcome<()> {
    if hold_feed(database, tenant).await?.generation != restart.from_generation {
        return Err(StoreFailure::Overtaken);
    }
    let update = "UPDATE feeds SET generation = $2 WHERE tenant_id = $1";
    database.execute(update, &[&tenant, &restart.to_generation.cast_signed()]).await.map(drop)
}

/// Locks and reads the feed. Creates its row for the first reader.
pub(crate) async fn hold_feed(database: &Transaction, tenant: &str) -> Outcome<Feed> {
    if let Some(feed) = held(database, tenant).await? {
        return Ok(feed);
    }
    let insert = statement!(Statement::insert::<Feed>(Dialect::Postgres, OnConflict::Keep));
    database.write(insert, tenant, &[Feed::EMPTY]).await?;
    held(database, tenant).await?.ok_or_else(|| missing("feeds", tenant))
}

async fn held(database: &Transaction, tenant: &str) -> Outcome<Option<Feed>> {
    database.one_of(("feeds", 0), select!(Feed, "WHERE tenant_id = $1 FOR UPDATE"), &[&tenant]).await
}
