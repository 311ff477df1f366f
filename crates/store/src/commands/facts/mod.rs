//! The working set of commands: what a store loaded, and what the commands before this one changed.

mod account;
mod awards;
mod catalogue;
mod catalogue_rows;
mod clock;
mod ledger;
mod notes;
mod rows;
mod stock;
mod table_rows;
mod tally;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use pointbook_domain::{
    ClockOffset, Day, Order, OrderId, ProductId, Timestamp, TokenHash, TokenKind, User, UserId,
};

use self::account::Account;
pub use self::account::{Overdraft, Refusal, StoredEntry};
use self::catalogue_rows::Catalogue;
pub use self::catalogue_rows::CatalogueRow;
pub use self::ledger::Addition;
pub(super) use self::rows::KeyFact;
use self::rows::{LoadedDataKey, UserFact};
pub use self::rows::{OwnedToken, StoredKey};
pub use self::stock::ProductFacts;
use self::stock::Shelf;
use super::{AwardRange, BudgetNeed, Changes, EntryKey, Needs, RowsNeed};
use crate::audit_log::Notes;
use crate::commands::facts::awards::ShareFact;
use crate::schema::Row;
pub use crate::schema::rows::AccountState;
use crate::schema::rows::{AwardRow, UserAccount};

/// The loaded part of a tenant's data. Facts that were not loaded are missing. That is not the same as absent. It has no `Debug`,
/// because its rows may have secrets.
#[derive(Default)]
pub struct Facts {
    /// By principal and key.
    keys: BTreeMap<(String, String), KeyFact>,
    accounts: HashMap<UserId, Account>,
    order_names: BTreeMap<String, bool>,
    orders: BTreeMap<OrderId, Option<Order>>,
    shelves: BTreeMap<ProductId, Option<Shelf>>,
    users: BTreeMap<UserId, UserFact>,
    /// Whether the token exists and is not revoked.
    tokens: BTreeMap<TokenHash, bool>,
    tokens_of: BTreeMap<TokenKind, Vec<OwnedToken>>,
    catalogue: Catalogue,
    /// `None` until it is loaded.
    data_key: Option<LoadedDataKey>,
    clock: Option<ClockOffset>,
    /// A time, and whether something happened after it.
    events_after: Option<(Timestamp, bool)>,
    lacks_some: bool,
    /// Rows of small tables.
    rows: Vec<(RowsNeed, Vec<Row>)>,
    awards: BTreeMap<AwardRange, Vec<AwardRow>>,
    /// By campaign.
    budgets: BTreeMap<String, Vec<ShareFact>>,
    notes: Notes,
    /// The rows that commands added. The changes of facts follow at the end.
    changes: Changes,
}

impl Facts {
    /// A user's account; `None` when the user is unknown.
    pub fn put_account(&mut self, user_id: UserId, account: Option<UserAccount>) {
        self.accounts.entry(user_id).or_insert_with(|| Account::new(account));
    }

    /// The ledger row under this key. Does nothing unless the user's account was put before: the row may be out of date if the
    /// store read it before it held the account.
    pub fn put_entry(&mut self, key: EntryKey, entry: Option<StoredEntry>) {
        if let Some(account) = self.accounts.get_mut(&key.user_id) {
            account.put_entry(key.kind, key.source_id, entry);
        }
    }

    /// Whether a user has rows on this day. See [`Self::put_entry`].
    pub fn put_day(&mut self, user_id: &UserId, day: Day, has_rows: bool) {
        if let Some(account) = self.accounts.get_mut(user_id) {
            account.days.entry(day).or_insert(has_rows);
        }
    }

    /// Whether this string is the id of an order.
    pub fn put_order_name(&mut self, name: String, is_order: bool) {
        self.order_names.entry(name).or_insert(is_order);
    }

    pub fn put_order(&mut self, id: OrderId, order: Option<Order>) {
        self.orders.entry(id).or_insert(order);
    }

    /// A product, retired or not.
    pub fn put_product(&mut self, id: ProductId, product: Option<ProductFacts>) {
        self.shelves.entry(id).or_insert_with(|| product.map(Shelf::new));
    }

    /// A user with the profile; `None` when the user is unknown.
    pub fn put_user(&mut self, id: UserId, user: Option<User>) {
        self.users.entry(id).or_insert_with(|| UserFact::new(user));
    }

    /// A token. `None` when it does not exist or is revoked.
    pub fn put_token(&mut self, hash: TokenHash, token: Option<OwnedToken>) {
        self.tokens.entry(hash).or_insert(token.is_some());
    }

    /// The tokens of an owner that are not revoked.
    pub fn put_tokens_of(&mut self, owner: TokenKind, tokens: Vec<OwnedToken>) {
        self.tokens_of.entry(owner).or_insert(tokens);
    }

    /// Notes that needs which were not put are absent. A store that could not hold all accounts and orders passes `was_all_held:
    /// false`. Then those that it did not put stay missing, with the entries of those accounts.
    pub fn put_absent(&mut self, needs: Needs, was_all_held: bool) {
        let Needs { accounts, entries, order_names, orders, products, users, tokens, .. } = needs;
        let Needs { tokens_of, catalogue: _, categories: _, catalogue_products, taken_pieces, .. } = needs;
        if was_all_held {
            for user in accounts {
                self.put_account(user, None);
            }
            for id in orders {
                self.put_order(id, None);
            }
            for id in users {
                self.put_user(id, None);
            }
            for hash in tokens {
                self.put_token(hash, None);
            }
            for owner in tokens_of {
                self.put_tokens_of(owner, Vec::new());
            }
            for id in catalogue_products {
                self.put_catalogue_product(id, None);
            }
            for id in taken_pieces {
                self.put_taken_pieces(id, 0);
            }
        }
        for (key, day) in entries {
            self.put_day(&key.user_id, day, false);
            self.put_entry(key, None);
        }
        for name in order_names {
            self.put_order_name(name, false);
        }
        for id in products {
            self.put_product(id, None);
        }
        self.lacks_some |= !was_all_held;
    }

    /// Whether a store skipped a need.
    pub(super) fn lacks_some(&self) -> bool {
        self.lacks_some
    }

    /// The needs that were not loaded.
    pub fn missing(&self, mut needs: Needs) -> Needs {
        let Needs {
            accounts,
            entries,
            order_names,
            orders,
            products,
            users,
            tokens,
            tokens_of,
            catalogue,
            categories,
            catalogue_products,
            taken_pieces,
            data_key,
            clock,
            events_after,
            awards,
            budgets,
            rows,
        } = &mut needs;
        accounts.retain(|user| !self.accounts.contains_key(user));
        entries.retain(|(key, day)| !self.has_entry(key, *day));
        order_names.retain(|name| !self.order_names.contains_key(name));
        orders.retain(|id| !self.orders.contains_key(id));
        products.retain(|id| !self.shelves.contains_key(id));
        users.retain(|id| !self.users.contains_key(id));
        tokens.retain(|hash| !self.tokens.contains_key(hash));
        tokens_of.retain(|owner| !self.tokens_of.contains_key(owner));
        *catalogue &= self.catalogue.version.is_none();
        *categories &= self.catalogue.categories.is_none();
        *clock &= self.clock.is_none();
        *events_after = events_after.filter(|at| self.events_after.is_none_or(|(known, _)| known != *at));
        catalogue_products.retain(|id| !self.catalogue.entries.contains_key(id));
        taken_pieces.retain(|id| !self.catalogue.taken_pieces.contains_key(id));
        *data_key &= self.data_key.is_none();
        self.retain_unknown_awards(awards, budgets);
        rows.retain(|need| !self.rows.iter().any(|(known, _)| known == need));
        needs
    }

    fn retain_unknown_awards(&self, awards: &mut BTreeSet<AwardRange>, budgets: &mut BTreeSet<BudgetNeed>) {
        awards.retain(|range| !self.awards.contains_key(range));
        budgets.retain(|need| !self.budgets.contains_key(&need.campaign_id));
    }

    fn has_entry(&self, EntryKey { user_id, kind, source_id }: &EntryKey, day: Day) -> bool {
        let account = self.accounts.get(user_id);
        account.is_some_and(|known| known.entry(kind, source_id).is_some() && known.days.contains_key(&day))
    }

    #[must_use]
    pub fn into_changes(self) -> Changes {
        let Self { accounts, shelves, users, catalogue, budgets, mut changes, .. } = self;
        changes.stocks = shelves.into_iter().filter_map(|(id, shelf)| shelf?.into_change(id)).collect();
        let mut accounts: Vec<_> = accounts.into_iter().collect();
        accounts.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
        for (id, account) in accounts {
            account.add_changes(id, &mut changes);
        }
        for user in users.into_values() {
            user.add_changes(&mut changes);
        }
        for share in budgets.into_values().flatten() {
            share.add_changes(&mut changes);
        }
        catalogue.add_changes(&mut changes);
        changes
    }
}
