//! Reads the facts of an audit in one pass over tables that are sorted by user.

mod source;

use std::sync::atomic::{AtomicBool, Ordering};

use pointbook_domain::Order;
use tokio::sync::mpsc;

use self::source::Source;
use crate::ports::AuditBatch;
use crate::postgres::connection::Connection;
use crate::postgres::error::{Outcome, StoreFailure};
use crate::schema::audit::{
    AuditedAward, AuditedLotChange, AuditedRow, AuditedUser, OrderOfProduct, OwnedFact,
};
use crate::schema::{Group, audit};
use crate::sql;

/// How many facts a batch has. One FETCH reads the same number of rows.
const FACTS_PER_BATCH: usize = 1_000;

/// Sends every fact. Stops early when the receiver is gone. Call it inside a snapshot. After the first batch, a failure is
/// not retried, because sent facts cannot be taken back.
pub(super) async fn send_all(
    database: &Connection,
    tenant: &str,
    facts: &mpsc::Sender<AuditBatch>,
    has_sent: &AtomicBool,
) -> Outcome<()> {
    let sent = async { send_batches(open(database, tenant).await?, facts, has_sent).await };
    sent.await.map_err(|failure| {
        if has_sent.load(Ordering::Relaxed) { StoreFailure::Interrupted(Box::new(failure)) } else { failure }
    })
}

/// The statement that declares a cursor over the rows of a group.
macro_rules! cursor {
    ($name:literal, $group:ty, $rest:literal) => {
        sql!(format!(concat!("DECLARE ", $name, " CURSOR FOR {}"), <$group>::select($rest)))
    };
}

/// Opens a cursor per table. Each reads its table in the order of an index, so only the fetched rows are in memory; those of the ledger are
/// sorted user by user.
async fn open<'d>(database: &'d Connection, tenant: &str) -> Outcome<Merged<'d>> {
    let open = |declare, fetch, read| Source::open(database, tenant, declare, fetch, read);
    let users = cursor!("users_by_id", AuditedUser, "WHERE tenant_id = $1 ORDER BY id");
    let orders = cursor!("orders_by_user", Order, "WHERE tenant_id = $1 ORDER BY user_id, created_at, id");
    let without_product = cursor!(
        "orders_without_product",
        OrderOfProduct,
        "WHERE tenant_id = $1 AND NOT EXISTS (
            SELECT 1 FROM products WHERE products.tenant_id = $1 AND products.id = orders.product_id
        ) ORDER BY user_id, created_at, id"
    );
    let awards = cursor!(
        "awards_by_user",
        AuditedAward,
        "WHERE tenant_id = $1 ORDER BY user_id, campaign_id, day, seq"
    );
    let changes = cursor!(
        "lot_changes_by_user",
        AuditedLotChange,
        "WHERE tenant_id = $1 ORDER BY user_id, after_seq, changed_at"
    );
    let transactions =
        cursor!("transactions_by_seq", AuditedRow, "WHERE tenant_id = $1 ORDER BY user_id, seq");
    Ok(Merged([
        open(users, "FETCH 1000 FROM users_by_id", |row| audit::user(row)).await?,
        open(orders, "FETCH 1000 FROM orders_by_user", |row| audit::order(row)).await?,
        open(without_product, "FETCH 1000 FROM orders_without_product", |row| {
            audit::order_without_product(row)
        })
        .await?,
        open(awards, "FETCH 1000 FROM awards_by_user", |row| audit::award(row)).await?,
        open(changes, "FETCH 1000 FROM lot_changes_by_user", |row| audit::lot_change(row)).await?,
        open(transactions, "FETCH 1000 FROM transactions_by_seq", |row| audit::transaction(row)).await?,
    ]))
}

async fn send_batches(
    mut merged: Merged<'_>,
    facts: &mpsc::Sender<AuditBatch>,
    has_sent: &AtomicBool,
) -> Outcome<()> {
    let mut batch = AuditBatch::with_capacity(FACTS_PER_BATCH);
    loop {
        let fact = merged.next().await?;
        let is_last = fact.is_none();
        batch.extend(fact);
        if batch.len() == FACTS_PER_BATCH || (is_last && !batch.is_empty()) {
            has_sent.store(true, Ordering::Relaxed);
            let full = std::mem::replace(&mut batch, AuditBatch::with_capacity(FACTS_PER_BATCH));
            if facts.send(full).await.is_err() {
                // A receiver that is gone needs no more facts.
                return Ok(());
            }
        }
        if is_last {
            return Ok(());
        }
    }
}

/// Merges the facts of all tables by user. The facts of one user come in the order of the sources.
struct Merged<'d>([Source<'d>; 6]);

impl Merged<'_> {
    async fn next(&mut self) -> Outcome<Option<OwnedFact>> {
        // `min_by` returns the first of equal elements.
        match self.0.iter_mut().min_by(|a, b| a.order(b)) {
            Some(source) => source.advance().await,
            None => Ok(None),
        }
    }
}
