//! Inserts the blocks of the feed that the jobs of one commit made.

use std::collections::HashMap;
use std::sync::Arc;

use rusqlite::{Transaction, params};

use crate::feed::{MAX_BLOCK_ENTRIES, NewBlock};
use crate::schema::feed_entries_to_json;
use crate::sqlite::error::Outcome;

/// The blocks of a commit, each with its tenant, in the order of the jobs.
pub(crate) type NewBlocks = Vec<(Arc<str>, NewBlock)>;

/// How far the changes of a block are from its first one at most. The block has the time of the first one.
const MAX_SPREAD_MICROS: u64 = 100_000;

/// Inserts the blocks of a commit. The ordinals follow those of all other blocks without positions, because there is one writer.
pub(crate) fn insert(database: &Transaction<'_>, blocks: NewBlocks) -> Outcome<()> {
    if blocks.is_empty() {
        return Ok(());
    }
    let mut insert = database.prepare_cached(
        "INSERT INTO feed_blocks (tenant_id, id, ordinal, created_at, entry_count, entries)
         SELECT ?1, ?2, coalesce(max(ordinal), 0) + 1, ?3, ?4, ?5
         FROM feed_blocks INDEXED BY feed_blocks_unnumbered WHERE tenant_id = ?1 AND last_position IS NULL",
    )?;
    for (tenant, NewBlock { id, at, entries }) in joined(blocks) {
        let count = i64::try_from(entries.len()).unwrap_or(i64::MAX);
        insert.execute(params![tenant, id, at.as_micros(), count, feed_entries_to_json(&entries)])?;
    }
    Ok(())
}

/// Joins the small blocks of each tenant. The entries of a tenant keep their order.
fn joined(blocks: NewBlocks) -> NewBlocks {
    let mut joined = NewBlocks::new();
    let mut newest: HashMap<Arc<str>, usize> = HashMap::new();
    for (tenant, block) in blocks {
        let last = newest.get(&tenant).and_then(|&index| joined.get_mut(index));
        if let Some((_, first)) = last.filter(|(_, first)| are_joined(first, &block)) {
            first.entries.extend(block.entries);
        } else {
            newest.insert(tenant.clone(), joined.len());
            joined.push((tenant, block));
        }
    }
    joined
}

fn are_joined(first: &NewBlock, next: &NewBlock) -> bool {
    let spread = first.at.as_micros().abs_diff(next.at.as_micros());
    spread <= MAX_SPREAD_MICROS && first.entries.len() + next.entries.len() <= MAX_BLOCK_ENTRIES
}
