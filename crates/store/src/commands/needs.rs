//! The facts that commands need to decide.

use std::collections::BTreeSet;
use std::sync::Arc;

use pointbook_domain::{
    Activity, ActivityType, Day, OrderId, ProductId, SourceId, Timestamp, TokenHash, TokenKind, Transaction,
    UserId,
};

use crate::ports::NewTransaction;
use crate::schema::rows::{AwardRow, BudgetShare};
use crate::schema::{Cell, Query, Row, Table, Write, cells};

/// The business key of a ledger row, used once for ever.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct EntryKey {
    pub user_id: UserId,
    pub kind: ActivityType,
    pub source_id: SourceId,
}

impl EntryKey {
    pub fn of(user_id: &UserId, activity: &Activity) -> Self {
        let Activity { kind, source_id, .. } = activity;
        Self { user_id: user_id.clone(), kind: kind.clone(), source_id: source_id.clone() }
    }
}

/// A transaction that a back office reports of a user.
#[derive(Debug)]
pub struct Reported {
    pub user_id: UserId,
    /// The transaction, under a new id.
    pub transaction: Arc<Transaction>,
}

impl From<NewTransaction> for Reported {
    fn from(new: NewTransaction) -> Self {
        let NewTransaction { user_id, transaction } = new;
        Self { user_id, transaction: transaction.into() }
    }
}

/// The awards that a campaign gave a user for events of these local days, both included.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct AwardRange {
    pub user_id: UserId,
    pub campaign_id: String,
    pub days: (Day, Day),
}

impl AwardRange {
    /// The rows of the range, in any order.
    pub fn query(&self) -> Query {
        let Self { user_id, campaign_id, days: (first, last) } = self;
        let query = Query::of::<AwardRow>("awards", &["user_id", "campaign_id", "day", "seq"]);
        let query = query.equal("user_id", Some(user_id)).equal("campaign_id", Some(campaign_id.as_str()));
        query.between("day", [first, last])
    }
}

/// The budget of a campaign, of which a process spends its own share.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct BudgetNeed {
    pub campaign_id: String,
    /// The process.
    pub holder: String,
}

impl BudgetNeed {
    /// All shares of the budget.
    pub fn query(&self) -> Query {
        let query = Query::of::<BudgetShare>("budget_shares", &["campaign_id", "holder"]);
        query.equal("campaign_id", Some(self.campaign_id.as_str()))
    }
}

/// Rows of a table with all columns, which commands read and change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowsNeed {
    table: &'static Table,
    /// By the first column of the key.
    keys: Keys,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Keys {
    All,
    One(Cell),
    After(Cell),
}

impl RowsNeed {
    /// All rows of a table, which must be few.
    pub fn all(table: &'static Table) -> Self {
        Self { table, keys: Keys::All }
    }

    /// The row with this key, which is one column.
    pub fn one<K: Write>(table: &'static Table, key: &K) -> Self {
        Self { table, keys: Keys::One(cell(key)) }
    }

    /// The rows with a larger key, which is one column.
    pub fn after<K: Write>(table: &'static Table, key: &K) -> Self {
        Self { table, keys: Keys::After(cell(key)) }
    }

    pub fn table(&self) -> &'static Table {
        self.table
    }

    /// The rows, in the order of the key.
    pub fn query(&self) -> Query {
        let query = Query::of_table("load_rows", self.table);
        match (&self.keys, self.table.key()) {
            (Keys::One(key), [column, ..]) => query.equal(column.name, Some(&vec![key.clone()])),
            (Keys::After(key), _) => query.after(Some(&vec![key.clone()])),
            (Keys::All | Keys::One(_), _) => query,
        }
    }

    /// Whether a row of the table is one of them.
    pub(crate) fn have(&self, row: &Row) -> bool {
        let key = row.first();
        match &self.keys {
            Keys::All => true,
            Keys::One(wanted) => key == Some(wanted),
            Keys::After(last) => key > Some(last),
        }
    }
}

fn cell<K: Write>(key: &K) -> Cell {
    cells(key).into_iter().next().map_or(Cell::Null, Cell::from)
}

/// The facts to load. A need of two commands is loaded once; only an entry may be named twice.
#[derive(Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "a command has each of these needs or not")]
pub struct Needs {
    /// Accounts of users. A store locks them in this order.
    pub accounts: BTreeSet<UserId>,
    /// Ledger rows under these keys, and whether their users have rows on these days. The users are in [`Self::accounts`].
    pub entries: Vec<(EntryKey, Day)>,
    /// Strings that may be ids of orders: whether the tenant has such orders.
    pub order_names: BTreeSet<String>,
    /// Orders. A store locks them in this order, before accounts.
    pub orders: BTreeSet<OrderId>,
    /// The parts of products that orders need, retired products included. A store does not lock them: guards protect their
    /// changes.
    pub products: BTreeSet<ProductId>,
    /// Users with their profiles. A store locks them in this order.
    pub users: BTreeSet<UserId>,
    /// Tokens. A store locks them after users.
    pub tokens: BTreeSet<TokenHash>,
    /// The unrevoked tokens of these owners, locked in the same way.
    pub tokens_of: BTreeSet<TokenKind>,
    /// The version of the catalogue, locked before products.
    pub catalogue: bool,
    /// The category tree.
    pub categories: bool,
    /// Products in full, retired ones included. A store locks them in this order.
    pub catalogue_products: BTreeSet<ProductId>,
    /// How many pieces orders took out of the limited stock of these products and did not return.
    pub taken_pieces: BTreeSet<ProductId>,
    /// The virtual clock of the tenant. A store does not lock it: a guard protects its change.
    pub clock: bool,
    /// Whether something of the tenant happened after this time.
    pub events_after: Option<Timestamp>,
    /// The sealed data key of the tenant. A store locks it last.
    pub data_key: bool,
    /// Awards of users in [`Self::accounts`].
    pub awards: BTreeSet<AwardRange>,
    /// Budgets of campaigns. A store locks the share of the process after the accounts, in this order, and not the other shares: guards
    /// protect their changes.
    pub budgets: BTreeSet<BudgetNeed>,
    /// Rows of small tables. A store locks the version of the catalogue first, so that commands that change such tables take turns.
    pub rows: Vec<RowsNeed>,
}

impl Needs {
    pub fn account(&mut self, user_id: &UserId) {
        if !self.accounts.contains(user_id) {
            self.accounts.insert(user_id.clone());
        }
    }

    /// The needs of a transaction of this type and source id: the account, the entry under the key, and the day of its time.
    pub fn entry(&mut self, user_id: &UserId, kind: &ActivityType, source_id: &SourceId, at: Timestamp) {
        self.account(user_id);
        let (user_id, kind, source_id) = (user_id.clone(), kind.clone(), source_id.clone());
        self.entries.push((EntryKey { user_id, kind, source_id }, at.day()));
    }

    /// The needs of a reported transaction: the entry, and whether an order owns its key.
    pub fn reported(&mut self, reported: &Reported) {
        let Reported { user_id, transaction } = reported;
        let Activity { kind, source_id, created_at, .. } = &transaction.activity;
        self.entry(user_id, kind, source_id, *created_at);
        self.order_of(kind, source_id);
    }

    /// Whether an order moves points under this type and source id.
    pub fn order_of(&mut self, kind: &ActivityType, source_id: &SourceId) {
        if kind.is_order() {
            self.order_names.extend(OrderId::candidates(source_id.as_str()).map(str::to_owned));
        }
    }

    /// The unrevoked tokens of an owner. It also locks the customer, so that no other token is issued meanwhile.
    pub fn tokens_of(&mut self, owner: &TokenKind) {
        self.users.extend(owner.user().cloned());
        self.tokens_of.insert(owner.clone());
    }

    pub fn categories(&mut self) {
        (self.catalogue, self.categories) = (true, true);
    }

    /// All rows of a table, which must be few.
    pub fn table(&mut self, table: &'static Table) {
        self.rows(RowsNeed::all(table));
    }

    pub fn rows(&mut self, rows: RowsNeed) {
        if !self.rows.contains(&rows) {
            self.rows.push(rows);
        }
    }

    /// A product in full.
    pub fn catalogue_product(&mut self, id: &ProductId) {
        self.catalogue = true;
        self.catalogue_products.insert(id.clone());
    }

    /// Whether nothing is needed.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
