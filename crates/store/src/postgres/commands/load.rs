//! Loads the facts that commands need, in one round trip.

use std::collections::BTreeSet;

use futures_util::FutureExt;
use pointbook_domain::{Day, Order, OrderId, ProductId, TokenKind, Transaction as Recorded, User, UserId};
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

use crate::commands::{EntryKey, Facts, Needs, ProductFacts, StoredEntry};
use crate::postgres::connection::Transaction;
use crate::postgres::error::{Outcome, StoreFailure};
use crate::postgres::pipeline::{all, both};
use crate::postgres::value::Typed;
use crate::postgres::{row, users};
use crate::schema::rows::{HeldToken, ProductOffer, UserAccount};
use crate::schema::{Group, Read};
use crate::{select, sql};

/// What a transaction does about rows that another one has locked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hold {
    /// Waits for the locks.
    Waiting,
    /// Leaves these rows out.
    Skipping,
}

/// The statements that lock the rows of a group, for [`Hold::rows`]. They lock in the order of keys, to prevent deadlocks.
macro_rules! locking {
    ($group:ty, $rest:literal) => {
        [select!($group, $rest), select!($group, concat!($rest, " SKIP LOCKED"))]
    };
}
pub(crate) use locking;

impl Hold {
    /// Locks the rows with these keys until the transaction ends. Sends nothing without keys.
    pub(crate) async fn rows<K: Typed + ToSql + Sync>(
        self,
        database: &Transaction,
        tenant: &str,
        [waiting, skipping]: [&'static str; 2],
        keys: Vec<K>,
    ) -> Outcome<Vec<Row>> {
        let select = if self == Self::Waiting { waiting } else { skipping };
        database.rows_by(select, tenant, keys).await
    }
}

pub(super) struct Loaded {
    orders: Vec<Row>,
    accounts: Vec<Row>,
    users: Vec<Row>,
    tokens: Vec<Row>,
    entries: Vec<Row>,
    products: Vec<Row>,
    order_names: Vec<Row>,
    tokens_of: Vec<Vec<Row>>,
}

/// Sends all statements without waiting in between. Orders and accounts are locked first, so that no other transaction changes
/// them while the rest is read.
pub(super) async fn rows(database: &Transaction, tenant: &str, needs: &Needs, hold: Hold) -> Outcome<Loaded> {
    let lock_orders =
        locking!(Order, "WHERE tenant_id = $1 AND id = ANY ($2::text[]) ORDER BY id FOR UPDATE");
    let lock_accounts =
        locking!(UserAccount, "WHERE tenant_id = $1 AND id = ANY ($2::text[]) ORDER BY id FOR UPDATE");
    let lock_tokens = locking!(
        HeldToken,
        "WHERE tenant_id = $1 AND hash = ANY ($2::bytea[]) AND revoked_at IS NULL ORDER BY hash FOR UPDATE"
    );
    let orders = needs.orders.iter().map(OrderId::as_str).collect();
    let accounts = needs.accounts.iter().map(UserId::as_str).collect();
    let tokens = needs.tokens.iter().map(|hash| hash.0.as_slice()).collect();
    let rows = all(vec![
        hold.rows(database, tenant, lock_orders, orders).boxed(),
        hold.rows(database, tenant, lock_accounts, accounts).boxed(),
        users::hold(database, tenant, &needs.users, hold).boxed(),
        hold.rows(database, tenant, lock_tokens, tokens).boxed(),
        find_entries(database, tenant, &needs.entries).boxed(),
        find_products(database, tenant, &needs.products).boxed(),
        find_order_names(database, tenant, &needs.order_names).boxed(),
    ]);
    let tokens_of = needs.tokens_of.iter().map(|owner| hold_tokens_of(database, tenant, owner).boxed());
    let (rows, tokens_of) = both(rows, all(tokens_of.collect())).await?;
    let [orders, accounts, users, tokens, entries, products, order_names] =
        rows.try_into().unwrap_or_default();
    Ok(Loaded { orders, accounts, users, tokens, entries, products, order_names, tokens_of })
}

impl Loaded {
    /// Adds all rows to the facts. A row that was not found counts as absent, unless another transaction may have locked it.
    pub(super) fn put(self, needs: Needs, hold: Hold, facts: &mut Facts) -> Outcome<()> {
        each(&self.orders, |order: Order| facts.put_order(order.id.clone(), Some(order)))?;
        each(&self.accounts, |account: UserAccount| facts.put_account(account.id.clone(), Some(account)))?;
        put_entries(&self.entries, hold, facts)?;
        each_of(("products", 1), &self.products, |(offer, low_stock_threshold): (ProductOffer, u32)| {
            let product = ProductFacts::of(offer, low_stock_threshold);
            facts.put_product(product.product.id.clone(), Some(product));
        })?;
        each_of(("orders", 1), &self.order_names, |(name,)| facts.put_order_name(name, true))?;
        each(&self.users, |user: User| facts.put_user(user.id.clone(), Some(user)))?;
        each(&self.tokens, |token: HeldToken| facts.put_token(token.hash, Some(token.into())))?;
        for (owner, rows) in needs.tokens_of.iter().zip(&self.tokens_of) {
            let mut tokens = Vec::new();
            each(rows, |token: HeldToken| tokens.push(token.into()))?;
            facts.put_tokens_of(owner.clone(), tokens);
        }
        facts.put_absent(needs, hold == Hold::Waiting);
        Ok(())
    }
}

/// Reads rows of a statement that selects a group.
pub(super) fn each<T: Group + for<'r> Read<'r>>(rows: &[Row], put: impl FnMut(T)) -> Outcome<()> {
    each_of((T::TABLE.name, T::KEY), rows, put)
}

/// Reads rows. Errors name this table and this many key columns.
pub(super) fn each_of<T: for<'r> Read<'r>>(
    table: (&'static str, usize),
    rows: &[Row],
    mut put: impl FnMut(T),
) -> Outcome<()> {
    rows.iter().try_for_each(|stored| row::read_as(table, stored).map(&mut put))
}

/// Locks the tokens of an owner that are not revoked. Only the back office needs them, so this always waits for locks.
async fn hold_tokens_of(database: &Transaction, tenant: &str, owner: &TokenKind) -> Outcome<Vec<Row>> {
    match owner {
        TokenKind::Customer(user) => {
            let select = select!(
                HeldToken,
                "WHERE tenant_id = $1 AND user_id = $2 AND revoked_at IS NULL ORDER BY hash FOR UPDATE"
            );
            database.rows(select, &[&tenant, &user.as_str()]).await
        }
        TokenKind::SuperUser => {
            let select = select!(
                HeldToken,
                "WHERE tenant_id = $1 AND user_id IS NULL AND revoked_at IS NULL ORDER BY hash FOR UPDATE"
            );
            database.rows(select, &[&tenant]).await
        }
    }
}

/// The products for orders, including retired ones. They are read without a lock, so that orders of different users do not wait
/// for each other. The guard of the update detects changes.
async fn find_products(
    database: &Transaction,
    tenant: &str,
    products: &BTreeSet<ProductId>,
) -> Outcome<Vec<Row>> {
    let select = sql!(format!(
        "SELECT {}, low_stock_threshold
         FROM products LEFT JOIN catalogue_versions ON catalogue_versions.tenant_id = $1
         WHERE products.tenant_id = $1 AND id = ANY ($2::text[])",
        ProductOffer::names_of("products")
    ));
    database.rows_by(select, tenant, products.iter().map(ProductId::as_str).collect()).await
}

async fn find_order_names(
    database: &Transaction,
    tenant: &str,
    names: &BTreeSet<String>,
) -> Outcome<Vec<Row>> {
    let select = "SELECT id FROM orders WHERE tenant_id = $1 AND id = ANY ($2::text[])";
    database.rows_by(select, tenant, names.iter().map(String::as_str).collect()).await
}

/// Finds ledger rows and days by their keys. Each inner query has a limit, so that the planner never scans a whole table.
fn select_entries() -> String {
    format!(
        "SELECT given.user_id, standing.seq, {standing}, begun.day, known.last_seq
    FROM unnest($2::text[], $3::text[], $4::text[], $5::integer[]) AS given (user_id, type, source_id, day)
    CROSS JOIN LATERAL (
        SELECT last_seq FROM users WHERE tenant_id = $1 AND id = given.user_id LIMIT 1
    ) AS known
    LEFT JOIN LATERAL (
        SELECT history_days.day FROM history_days
        WHERE tenant_id = $1 AND user_id = given.user_id AND history_days.day = given.day LIMIT 1
    ) AS begun ON TRUE
    LEFT JOIN LATERAL (
        SELECT seq, {transaction} FROM transactions
        WHERE tenant_id = $1 AND user_id = given.user_id AND transactions.type = given.type
            AND transactions.source_id = given.source_id LIMIT 1
    ) AS standing ON TRUE",
        standing = Recorded::names_of("standing"),
        transaction = Recorded::names_of("transactions"),
    )
}

/// The user, the ledger row with the key, the day if it has rows, and the user's newest `seq`.
type EntryRow = (UserId, Option<(u64, Recorded)>, Option<Day>, u64);

/// The ledger rows with these keys, and those of the days that have rows, on one snapshot.
async fn find_entries(
    database: &Transaction,
    tenant: &str,
    entries: &[(EntryKey, Day)],
) -> Outcome<Vec<Row>> {
    if entries.is_empty() {
        return Ok(Vec::new());
    }
    let users: Vec<&str> = entries.iter().map(|(key, _)| key.user_id.as_str()).collect();
    let types: Vec<&str> = entries.iter().map(|(key, _)| key.kind.as_str()).collect();
    let sources: Vec<&str> = entries.iter().map(|(key, _)| key.source_id.as_str()).collect();
    let days: Vec<i32> = entries.iter().map(|(_, day)| day.as_days()).collect();
    database.rows(sql!(select_entries()), &[&tenant, &users, &types, &sources, &days]).await
}

/// Adds the ledger rows to the facts, after the locked accounts. Fails as overtaken if an account has another newest `seq`,
/// because a writer did not lock the account.
fn put_entries(rows: &[Row], hold: Hold, facts: &mut Facts) -> Outcome<()> {
    for row in rows {
        let (user, entry, day, last_seq): EntryRow = row::read_as(("transactions", 2), row)?;
        match facts.account(&user) {
            Some(account) if account.last_seq == last_seq => {}
            // Another transaction has locked the user.
            None if hold == Hold::Skipping => continue,
            Some(_) | None => return Err(StoreFailure::Overtaken),
        }
        if let Some((seq, transaction)) = entry {
            let key = EntryKey::of(&user, &transaction.activity);
            facts.put_entry(key, Some(StoredEntry { seq, transaction: transaction.into() }));
        }
        if let Some(day) = day {
            facts.put_day(&user, day, true);
        }
    }
    Ok(())
}
