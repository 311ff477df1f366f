//! The transaction of a commit, which the jobs of the commit share.

use std::cell::RefCell;
use std::ops::Deref;

use rusqlite::Transaction;

use crate::sqlite::error::Outcome;
use crate::sqlite::feed_blocks;
use crate::sqlite::feed_blocks::NewBlocks;

/// A transaction, and the blocks of the feed that its jobs have made. Blocks are inserted once, at the end: most are small, and
/// the blocks of one tenant become one row.
pub(crate) struct SharedCommit<'c> {
    transaction: Transaction<'c>,
    blocks: RefCell<NewBlocks>,
}

impl<'c> SharedCommit<'c> {
    pub(super) fn new(transaction: Transaction<'c>) -> Self {
        Self { transaction, blocks: RefCell::default() }
    }

    /// The blocks so far. A job adds its own.
    pub(crate) fn blocks(&self) -> &RefCell<NewBlocks> {
        &self.blocks
    }

    /// Inserts the blocks, and makes everything durable.
    pub(super) fn finish(self) -> Outcome<()> {
        feed_blocks::insert(&self.transaction, self.blocks.into_inner())?;
        Ok(self.transaction.commit()?)
    }
}

impl<'c> Deref for SharedCommit<'c> {
    type Target = Transaction<'c>;

    fn deref(&self) -> &Transaction<'c> {
        &self.transaction
    }
}
