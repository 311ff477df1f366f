//! Reads the facts of an audit in one pass over tables that are sorted by user.

use std::cmp::Ordering;

use pointbook_domain::Order;
use rusqlite::{Connection, Rows};
use tokio::sync::mpsc;

use crate::ports::AuditBatch;
use crate::schema::audit::{
    AuditedAward, AuditedLotChange, AuditedRow, AuditedUser, OrderOfProduct, OwnedFact,
};
use crate::schema::{Corrupt, audit};
use crate::select;
use crate::sqlite::error::Outcome;
use crate::sqlite::row::Stored;

const FACTS_PER_BATCH: usize = 1_000;

/// Sends every fact. Stops early when the receiver is gone. Call it inside a read transaction, on a thread that may block.
/// Each statement reads its table in the order of an index, so one row per table is in memory; those of the ledger are sorted user by
/// user, because no index has their `seq`.
pub(super) fn send_all(database: &Connection, tenant: &str, facts: &mpsc::Sender<AuditBatch>) -> Outcome<()> {
    let mut users = database.prepare_cached(select!(AuditedUser, "WHERE tenant_id = ?1 ORDER BY id"))?;
    let mut orders =
        database.prepare_cached(select!(Order, "WHERE tenant_id = ?1 ORDER BY user_id, created_at, id"))?;
    let mut without_product = database.prepare_cached(select!(
        OrderOfProduct,
        "WHERE tenant_id = ?1 AND NOT EXISTS (
             SELECT 1 FROM products WHERE products.tenant_id = ?1 AND products.id = orders.product_id
         ) ORDER BY user_id, created_at, id"
    ))?;
    let mut awards = database.prepare_cached(select!(
        AuditedAward,
        "WHERE tenant_id = ?1 ORDER BY user_id, campaign_id, day, seq"
    ))?;
    let mut changes = database.prepare_cached(select!(
        AuditedLotChange,
        "WHERE tenant_id = ?1 ORDER BY user_id, after_seq, changed_at"
    ))?;
    let mut transactions =
        database.prepare_cached(select!(AuditedRow, "WHERE tenant_id = ?1 ORDER BY user_id, seq"))?;
    let merged = Merged([
        Source::open(users.query([tenant])?, |row| audit::user(row))?,
        Source::open(orders.query([tenant])?, |row| audit::order(row))?,
        Source::open(without_product.query([tenant])?, |row| audit::order_without_product(row))?,
        Source::open(awards.query([tenant])?, |row| audit::award(row))?,
        Source::open(changes.query([tenant])?, |row| audit::lot_change(row))?,
        Source::open(transactions.query([tenant])?, |row| audit::transaction(row))?,
    ]);
    send_batches(merged, facts)
}

fn send_batches(mut merged: Merged<'_>, facts: &mpsc::Sender<AuditBatch>) -> Outcome<()> {
    let mut batch = AuditBatch::with_capacity(FACTS_PER_BATCH);
    while let Some(fact) = merged.next()? {
        batch.push(fact);
        if batch.len() == FACTS_PER_BATCH {
            let full = std::mem::replace(&mut batch, AuditBatch::with_capacity(FACTS_PER_BATCH));
            if facts.blocking_send(full).is_err() {
                return Ok(());
            }
        }
    }
    if !batch.is_empty() {
        // A receiver that is gone needs no more facts.
        facts.blocking_send(batch).unwrap_or_default();
    }
    Ok(())
}

/// Merges the facts of all tables by user. The facts of one user come in the order of the sources.
struct Merged<'s>([Source<'s>; 6]);

impl Merged<'_> {
    fn next(&mut self) -> Outcome<Option<OwnedFact>> {
        // `min_by` returns the first of equal elements.
        match self.0.iter_mut().min_by(|a, b| a.order(b)) {
            Some(source) => source.advance(),
            None => Ok(None),
        }
    }
}

type ReadFact = fn(&Stored<'_>) -> Result<OwnedFact, Corrupt>;

/// The facts of one table, ordered by user.
struct Source<'s> {
    rows: Rows<'s>,
    read: ReadFact,
    next: Option<OwnedFact>,
}

impl<'s> Source<'s> {
    fn open(rows: Rows<'s>, read: ReadFact) -> Outcome<Self> {
        let mut source = Self { rows, read, next: None };
        source.advance()?;
        Ok(source)
    }

    /// Returns the next fact and reads the one after it.
    fn advance(&mut self) -> Outcome<Option<OwnedFact>> {
        let after = self.rows.next()?.map(|row| (self.read)(&Stored(row))).transpose()?;
        Ok(std::mem::replace(&mut self.next, after))
    }

    /// Compares the users of the next facts in database order. A source at its end comes last.
    fn order(&self, other: &Self) -> Ordering {
        match (&self.next, &other.next) {
            (Some((user, _)), Some((other, _))) => user.as_str().cmp(other.as_str()),
            (next, other) => next.is_none().cmp(&other.is_none()),
        }
    }
}
