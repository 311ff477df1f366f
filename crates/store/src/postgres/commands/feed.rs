//! Adds the blocks of a commit to the feed.

use pointbook_domain::Feed;

use crate::commands::Changes;
use crate::feed::{NewBlock, feed_blocks};
use crate::postgres::connection::{Params, Transaction};
use crate::postgres::error::Outcome;
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
