//! Gives the blocks of the feed their positions, and reads what they name.

use async_trait::async_trait;

use crate::ports::{EntryAt, FeedStore, StoreResult};
use crate::postgres::commands::hold_feed;
use crate::postgres::connection::{Connection, Transaction};
use crate::postgres::error::Outcome;
use crate::postgres::pipeline::both;
use crate::postgres::scoped::IntoScoped;
use crate::postgres::store::PostgresTenant;
use crate::schema::rows::LedgerEntry;
use crate::schema::{Group, Statement};
use crate::{sql, statement};

#[async_trait]
impl FeedStore for PostgresTenant {
    async fn number_blocks(&self, limit: u32) -> StoreResult<u32> {
        // Most reads find no new block, and need no lock.
        let has_new = self
            .access
            .read_short("has_new_blocks", |database| has_unnumbered(database, &self.id).scoped())
            .await?;
        if !has_new {
            return Ok(0);
        }
        self.access.write("number_blocks", |database| number(database, &self.id, limit).scoped()).await
    }

    async fn entries_at(&self, at: &[EntryAt]) -> StoreResult<Vec<LedgerEntry>> {
        self.access.read_short("entries_at", |database| entries_at(database, &self.id, at).scoped()).await
    }
}

async fn has_unnumbered(database: &Connection, tenant: &str) -> Outcome<bool> {
    let select = "SELECT EXISTS (SELECT 1 FROM feed_blocks WHERE tenant_id = $1 AND last_position IS NULL)";
    let (has_unnumbered,) = database.only("feed_blocks", select, &[&tenant]).await?;
    Ok(has_unnumbered)
}

async fn number(database: &Transaction, tenant: &str, limit: u32) -> Outcome<u32> {
    let mut feed = hold_feed(database, tenant).await?;
    let unnumbered = "SELECT id, entry_count FROM feed_blocks WHERE tenant_id = $1 AND last_position IS NULL
                      ORDER BY ordinal LIMIT $2";
    let blocks: Vec<(String, u64)> =
        database.all_of(("feed_blocks", 1), unnumbered, &[&tenant, &i64::from(limit)]).await?;
    let mut numbered = Vec::with_capacity(blocks.len());
    for (id, count) in blocks {
        feed.last_position += count;
        numbered.push((id, feed.last_position));
    }
    let update = statement!(Statement::of_arrays::<(String, u64)>(
        "UPDATE feed_blocks SET last_position = given.last_position FROM unnest({arrays}) AS given (id, last_position)
         WHERE feed_blocks.tenant_id = $1 AND feed_blocks.id = given.id"
    ));
    let move_end = "UPDATE feeds SET last_position = $2 WHERE tenant_id = $1";
    let end = feed.last_position.cast_signed();
    both(database.write_all(update, tenant, &numbered), database.execute(move_end, &[&tenant, &end])).await?;
    Ok(u32::try_from(numbered.len()).unwrap_or(limit))
}

/// Moves the sequence past the ordinals of blocks that were copied from another database and have no position yet, so that
/// later blocks follow them. Every instance takes its numbers meanwhile, so the sequence goes step by step and never back.
pub(crate) async fn pass_ordinals(database: &Transaction, tenant: &str) -> Outcome<()> {
    let select = "SELECT max(ordinal) FROM feed_blocks WHERE tenant_id = $1 AND last_position IS NULL";
    let (last,): (Option<i64>,) = database.only("feed_blocks", select, &[&tenant]).await?;
    let Some(last) = last else { return Ok(()) };
    let pass = "SELECT count(nextval(pg_get_serial_sequence('feed_blocks', 'ordinal')))
                FROM generate_series(1, $1 - nextval(pg_get_serial_sequence('feed_blocks', 'ordinal')))";
    let (_,): (u64,) = database.only("feed_blocks", pass, &[&last]).await?;
    Ok(())
}

async fn entries_at(database: &Connection, tenant: &str, at: &[EntryAt]) -> Outcome<Vec<LedgerEntry>> {
    let select = sql!(format!(
        "SELECT {} FROM unnest($2::text[], $3::bigint[], $4::bigint[]) AS given (user_id, created_at, seq)
         JOIN transactions ON transactions.tenant_id = $1 AND transactions.user_id = given.user_id
             AND transactions.created_at = given.created_at AND transactions.seq = given.seq",
        LedgerEntry::names_of("transactions")
    ));
    let users: Vec<&str> = at.iter().map(|(user, _)| user.as_str()).collect();
    let times: Vec<i64> = at.iter().map(|(_, (at, _))| at.as_micros()).collect();
    let seqs: Vec<i64> = at.iter().map(|(_, (_, seq))| seq.cast_signed()).collect();
    database.all_of(("transactions", 2), select, &[&tenant, &users, &times, &seqs]).await
}
