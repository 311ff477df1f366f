//! The changes of commands, which a store saves.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use pointbook_domain::ledger::ChainHash;
use pointbook_domain::{
    ClockOffset, Day, FeedEntry, NewAuditEntry, Order, Points, Product, ProductId, Timestamp, TokenHash,
    TokenRecord, Transaction, User, UserId,
};

use super::AccountState;
use crate::audit_log::AuditSeal;
use crate::ports::{NewAnswer, RequestKey};
use crate::schema::rows::{AwardRow, BudgetShare, NewLedgerRow, NewUser, SealedDataKey};
use crate::schema::{Row, Table};

/// Rows to insert, and updates guarded by the values that were read. A failed guard means that another writer was faster. Then
/// the store saves nothing and the commands are decided again. They have no `Debug`, because a row may have a secret.
#[derive(Default)]
pub struct Changes {
    /// Accounts, by user.
    pub accounts: Vec<AccountChange>,
    /// New rows of the ledger, in order of recording.
    pub entries: Vec<NewEntry>,
    /// How many rows users get on each day.
    pub days: Vec<DayCount>,
    /// Stocks of products, by id.
    pub stocks: Vec<StockChange>,
    pub new_orders: Vec<Order>,
    /// Orders that were placed and are closed now.
    pub closed_orders: Vec<Order>,
    /// New users. They have no rows in the ledger.
    pub new_users: Vec<User>,
    /// Users whose profiles changed.
    pub changed_users: Vec<User>,
    /// Tokens to store. Each replaces one with the same hash.
    pub tokens: Vec<TokenRecord>,
    pub revoked_tokens: Vec<(TokenHash, Timestamp)>,
    /// Keys with the hour in which they were used.
    pub used_tokens: Vec<(TokenHash, Timestamp)>,
    /// The text of the category tree that replaces the stored one.
    pub categories: Option<Arc<str>>,
    /// Products that are created or replaced, by id.
    pub products: Vec<ProductWrite>,
    pub retired_products: Vec<(ProductId, Timestamp)>,
    /// The data key that is stored or sealed again.
    pub data_key: Option<DataKeyChange>,
    /// Entries to add to the audit log, in order.
    pub audit: Vec<NewAuditEntry>,
    /// When the commands were sent.
    pub made_at: Option<Timestamp>,
    /// The new rows of the ledger that take back others, by user and `seq`.
    pub reversals: BTreeSet<(UserId, u64)>,
    /// Old blocks of the feed to remove.
    pub removed_blocks: Option<BlockRemoval>,
    /// A new generation of the feed.
    pub feed_restart: Option<FeedRestart>,
    /// Old entries of the audit log to remove.
    pub audit_seal: Option<AuditSeal>,
    /// Responses to keep under the keys of their requests.
    pub responses: Vec<KeptResponse>,
    /// Keys that were used again.
    pub key_uses: Vec<KeyUse>,
    /// Another virtual clock of the tenant.
    pub clock: Option<ClockChange>,
    /// Recurring jobs with the real times from which on they are due.
    pub due_jobs: BTreeMap<&'static str, Timestamp>,
    /// New awards of campaigns.
    pub awards: Vec<AwardRow>,
    /// Shares of the budgets of campaigns, by campaign, then as they were changed.
    pub budgets: Vec<BudgetChange>,
    /// Rows of small tables.
    pub rows: Vec<RowChange>,
    /// Events that follow from no other change.
    pub notices: Vec<FeedEntry>,
}

/// A row of a small table that commands change as a whole. The cells are in the order of the columns. `Debug` shows only the key,
/// because a row may have a secret.
#[derive(Clone, PartialEq, Eq)]
pub enum RowChange {
    /// The row takes the place of one with the same key.
    Write(&'static Table, Row),
    /// No row has this key any more.
    Remove(&'static Table, Row),
}

impl RowChange {
    pub fn table(&self) -> &'static Table {
        let (Self::Write(table, _) | Self::Remove(table, _)) = self;
        table
    }

    pub fn row(&self) -> &Row {
        let (Self::Write(_, row) | Self::Remove(_, row)) = self;
        row
    }
}

impl fmt::Debug for RowChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Write(table, row) | Self::Remove(table, row)) = self;
        let kind = if matches!(self, Self::Write(..)) { "Write" } else { "Remove" };
        f.debug_tuple(kind).field(&table.name).field(&table.key_of(row)).finish()
    }
}

/// The virtual clock of a tenant goes forward.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClockChange {
    /// The offset as it was read, which guards the update.
    pub before: ClockOffset,
    pub after: ClockOffset,
    /// The real time from which on all jobs of the tenant are due, because they follow its clock.
    pub jobs_due_at: Timestamp,
}

/// Another share of a budget.
#[derive(Debug, PartialEq, Eq)]
pub struct BudgetChange {
    /// The share as it was read, which guards the update. `None` for a new share.
    pub before: Option<BudgetShare>,
    pub after: BudgetShare,
}

/// The removal of the oldest blocks of the feed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockRemoval {
    /// The removed position before. Another one means that another process removed blocks meanwhile.
    pub from_position: u64,
    /// The last position of the newest block that is removed.
    pub to_position: u64,
}

/// A new generation of the feed. The positions go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FeedRestart {
    /// The generation before, which guards the update.
    pub from_generation: u64,
    pub to_generation: u64,
}

/// An account after the new rows of its user.
#[derive(Debug, PartialEq, Eq)]
pub struct AccountChange {
    pub user_id: UserId,
    /// The account as it was read, which guards the update. `None` for a new user.
    pub before: Option<AccountState>,
    pub after: AccountState,
    /// When the first of the new rows was recorded: a new user begins then.
    pub recorded_at: Timestamp,
}

impl<'c> AccountChange {
    /// The user without a profile. `None` when the user exists.
    pub fn new_user(&'c self) -> Option<NewUser<'c>> {
        let Self { user_id: id, before, after: state, recorded_at } = self;
        let (birth_date, locale, disabled_at, created_at) = (None, None, None, *recorded_at);
        before.is_none().then_some(NewUser {
            id,
            state,
            birth_date,
            locale,
            disabled_at,
            created_at,
            birth_date_set_at: None,
        })
    }
}

/// A row that is added to the ledger.
#[derive(Debug, PartialEq, Eq)]
pub struct NewEntry {
    pub user_id: UserId,
    /// The position among the user's rows, from 1.
    pub seq: u64,
    pub transaction: Arc<Transaction>,
    pub balance_after: Points,
    pub recorded_at: Timestamp,
    /// Its link in the chain ([`crate::chain`]).
    pub hash: ChainHash,
}

impl<'e> From<&'e NewEntry> for NewLedgerRow<'e> {
    fn from(entry: &'e NewEntry) -> Self {
        let NewEntry { user_id, seq, transaction, balance_after, recorded_at, hash } = entry;
        let (seq, balance_after, recorded_at) = (*seq, *balance_after, *recorded_at);
        let bonus_points = transaction.activity.bonuses.total();
        Self { user_id, seq, transaction, bonus_points, balance_after, recorded_at, hash }
    }
}

/// The number of new rows of a user on a day.
#[derive(Debug, PartialEq, Eq)]
pub struct DayCount {
    pub user_id: UserId,
    pub day: Day,
    /// At least 1.
    pub added: u32,
}

/// A product to store. It is not retired.
#[derive(Debug, PartialEq, Eq)]
pub struct ProductWrite {
    pub product: Product,
    /// How many pieces count as supplied; `None` when the stock is unlimited.
    pub supplied: Option<i64>,
}

/// How the pieces of a product change.
#[derive(Debug, PartialEq, Eq)]
pub struct StockChange {
    pub product_id: ProductId,
    /// How many pieces are added to the stock. Negative to take pieces.
    pub stock: i64,
    /// How many pieces more are in placed orders.
    pub reserved: i64,
    /// How many pieces more count as supplied.
    pub supplied: i64,
    pub guard: StockGuard,
}

/// What a product's row must have for a change of its stock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StockGuard {
    /// Nothing: only the reservation changes.
    None,
    /// The product has this version, so only orders changed it since. Its stock is unlimited, or within these bounds before and
    /// after, so customers see no change.
    Unseen {
        version: u64,
        /// The least and the largest stock, both included; `None` when unlimited.
        bounds: Option<(u32, u32)>,
    },
    /// The product has this version and this stock. Customers see the change, so the store raises the version of the catalogue
    /// by one and gives it to the product.
    Shown { version: u64, stock: u32 },
}

/// The sealed data key of the tenant.
#[derive(Debug, PartialEq, Eq)]
pub struct DataKeyChange {
    /// The row as it was read, which guards the update. `None` when the tenant has none.
    pub before: Option<SealedDataKey>,
    pub after: SealedDataKey,
}

/// A response to keep under the key of its request.
#[derive(Debug)]
pub struct KeptResponse {
    pub key: RequestKey,
    pub now: Timestamp,
    pub response: NewAnswer,
}

/// A key whose request was repeated.
#[derive(Debug)]
pub struct KeyUse {
    pub key: RequestKey,
    pub now: Timestamp,
}

impl Changes {
    /// Whether customers see another catalogue.
    pub fn raises_catalogue(&self) -> bool {
        self.categories.is_some()
            || !self.products.is_empty()
            || !self.retired_products.is_empty()
            || self.stocks.iter().any(|change| matches!(change.guard, StockGuard::Shown { .. }))
    }
}
