//! Adds the blocks of the feed, and gives them positions.

use std::sync::Arc;

use async_trait::async_trait;
use pointbook_domain::Feed;
use rusqlite::{Connection, Transaction, params};

use crate::commands::Changes;
use crate::feed::feed_blocks;
use crate::ports::{EntryAt, FeedStore, StoreResult};
use crate::schema::rows::LedgerEntry;
use crate::schema::{Dialect, OnConflict, Statement};
use crate::sqlite::error::Outcome;
use crate::sqlite::row;
use crate::sqlite::store::SqliteTenant;
use crate::sqlite::writer::{SERVICE, SharedCommit};
use crate::{select, statement};

#[async_trait]
impl FeedStore for SqliteTenant {
    async fn number_blocks(&self, limit: u32) -> StoreResult<u32> {
        // Most reads find no new block, and need not wait for the writer.
        let has_new = self.access.read("has_new_blocks", |database| has_unnumbered(database, &self.id))?;
        if !has_new {
            return Ok(0);
        }
        let tenant = self.id.clone();
        self.access.write("number_blocks", SERVICE, move |database| number(database, &tenant, limit)).await
    }

    async fn entries_at(&self, at: &[EntryAt]) -> StoreResult<Vec<LedgerEntry>> {
        let (tenant, at) = (self.id.clone(), at.to_vec());
        let read = move |database: &Connection| entries_at(database, &tenant, &at);
        self.access.read_in_background("entries_at", None, read).await
    }
}

/// Adds the blocks of a job to those of its commit.
pub(crate) fn append(commit: &SharedCommit<'_>, tenant: &Arc<str>, changes: &Changes) {
    let blocks = feed_blocks(changes).into_iter().map(|block| (tenant.clone(), block));
    commit.blocks().borrow_mut().extend(blocks);
}

fn has_unnumbered(database: &Connection, tenant: &str) -> Outcome<bool> {
    let select = "SELECT EXISTS (SELECT 1 FROM feed_blocks INDEXED BY feed_blocks_unnumbered
                  WHERE tenant_id = ?1 AND last_position IS NULL)";
    Ok(row::count("feed_blocks", database, select, [tenant])? > 0)
}

fn number(database: &Transaction<'_>, tenant: &str, limit: u32) -> Outcome<u32> {
    let unnumbered = "SELECT id, entry_count FROM feed_blocks INDEXED BY feed_blocks_unnumbered
                      WHERE tenant_id = ?1 AND last_position IS NULL ORDER BY ordinal LIMIT ?2";
    let blocks: Vec<(String, u64)> =
        row::all_of(("feed_blocks", 1), database, unnumbered, params![tenant, limit])?;
    let mut feed = stored(database, tenant)?;
    let mut update = database
        .prepare_cached("UPDATE feed_blocks SET last_position = ?3 WHERE tenant_id = ?1 AND id = ?2")?;
    for (id, count) in &blocks {
        feed.last_position += count;
        update.execute(params![tenant, id, feed.last_position.cast_signed()])?;
    }
    replace(database, tenant, &feed)?;
    Ok(u32::try_from(blocks.len()).unwrap_or(limit))
}

fn stored(database: &Connection, tenant: &str) -> Outcome<Feed> {
    let stored: Option<Feed> = row::one(database, select!(Feed, "WHERE tenant_id = ?1"), [tenant])?;
    Ok(stored.unwrap_or(Feed::EMPTY))
}

fn replace(database: &Transaction<'_>, tenant: &str, feed: &Feed) -> Outcome<()> {
    let replace = statement!(Statement::insert::<Feed>(Dialect::Sqlite, OnConflict::Replace));
    row::write(database, replace, tenant, feed).map(drop)
}

fn entries_at(database: &Connection, tenant: &str, at: &[EntryAt]) -> Outcome<Vec<LedgerEntry>> {
    let select =
        select!(LedgerEntry, "WHERE tenant_id = ?1 AND user_id = ?2 AND created_at = ?3 AND seq = ?4");
    let mut entries = Vec::with_capacity(at.len());
    for (user, (at, seq)) in at {
        let key = params![tenant, user.as_str(), at.as_micros(), seq.cast_signed()];
        entries.extend(row::one(database, select, key)?);
    }
    Ok(entries)
}
