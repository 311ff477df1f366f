//! The working set of commands: what a store loaded, and what the commands before this one changed.

mod account;
mod catalogue;
mod catalogue_rows;
mod keys;
mod known_rows;
mod ledger;
mod orders;
mod shelf;
mod stock;
#[cfg(test)]
mod tests;
mod tokens;
mod users;

use std::collections::{BTreeMap, HashMap};

use pointbook_domain::{Day, Order, OrderId, ProductId, UserId};
pub use pointbook_schema::rows::AccountState;

use self::account::{Account, UserFact};
pub use self::account::{Overdraft, Refusal};
use self::catalogue_rows::Catalogue;
pub use self::catalogue_rows::CatalogueRow;
pub(super) use self::keys::KeyState;
use self::keys::Keys;
pub use self::keys::StoredKey;
pub use self::known_rows::StoredEntry;
pub use self::ledger::Addition;
pub use self::shelf::ProductFacts;
use self::shelf::Shelf;
pub use self::tokens::OwnedToken;
use self::tokens::Tokens;
use super::{Changes, EntryKey, Needs, NewEntry};

/// What is known of a tenant's data. Facts that were not loaded are missing, which is not the same as absent.
#[derive(Debug, Default)]
pub struct Facts {
    keys: Keys,
    accounts: HashMap<UserId, Account>,
    order_names: BTreeMap<String, bool>,
    orders: BTreeMap<OrderId, Option<Order>>,
    shelves: BTreeMap<ProductId, Option<Shelf>>,
    users: BTreeMap<UserId, UserFact>,
    tokens: Tokens,
    catalogue: Catalogue,
    lacks_some: bool,
    new_entries: Vec<NewEntry>,
    new_orders: Vec<Order>,
    closed_orders: Vec<Order>,
}

impl Facts {
    /// A user's account; `None` when the user is unknown.
    pub fn put_account(&mut self, user_id: UserId, state: Option<AccountState>) {
        self.accounts.entry(user_id).or_insert_with(|| Account::new(state));
    }

    /// The ledger row under this key. Does nothing unless the user's account was put before: a row that was read
    /// without holding the account may be old when the account is held later.
    pub fn put_entry(&mut self, key: EntryKey, entry: Option<StoredEntry>) {
        if let Some(account) = self.accounts.get_mut(&key.user_id) {
            account.rows.put_entry(key.kind, key.source_id, entry);
        }
    }

    /// Whether a user has rows on this day; as [`Self::put_entry`].
    pub fn put_day(&mut self, user_id: &UserId, day: Day, has_rows: bool) {
        if let Some(account) = self.accounts.get_mut(user_id) {
            account.rows.put_day(day, has_rows);
        }
    }

    /// Whether this text is the id of an order.
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

    /// Notes that what was asked for and not put is absent. A store that could not hold all accounts and orders
    /// passes `was_all_held: false`: those that it did not put stay missing, with the entries of those accounts.
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
        self.lacks_some |= !was_all_held;
        for name in order_names {
            self.put_order_name(name, false);
        }
        for id in products {
            self.put_product(id, None);
        }
    }

    /// Whether a store passed something over that a command asked for.
    pub(super) fn lacks_some(&self) -> bool {
        self.lacks_some
    }

    /// The needs that were not loaded.
    #[must_use]
    pub fn missing(&self, needs: Needs) -> Needs {
        let Needs { mut accounts, mut entries, mut order_names, mut orders, mut products, .. } = needs;
        let Needs { mut users, mut tokens, mut tokens_of, mut catalogue_products, mut taken_pieces, .. } =
            needs;
        accounts.retain(|user| !self.accounts.contains_key(user));
        entries.retain(|(key, day)| {
            let account = self.accounts.get(&key.user_id);
            account.is_none_or(|account| !account.rows.has(&key.kind, &key.source_id, *day))
        });
        order_names.retain(|name| !self.order_names.contains_key(name));
        orders.retain(|id| !self.orders.contains_key(id));
        products.retain(|id| !self.shelves.contains_key(id));
        users.retain(|id| !self.users.contains_key(id));
        tokens.retain(|hash| !self.tokens.has(hash));
        tokens_of.retain(|owner| !self.tokens.has_those_of(owner));
        catalogue_products.retain(|id| !self.catalogue.entries.contains_key(id));
        taken_pieces.retain(|id| !self.catalogue.taken_pieces.contains_key(id));
        Needs {
            accounts,
            entries,
            order_names,
            orders,
            products,
            users,
            tokens,
            tokens_of,
            catalogue: needs.catalogue && self.catalogue.version.is_none(),
            categories: needs.categories && self.catalogue.categories.is_none(),
            catalogue_products,
            taken_pieces,
        }
    }

    #[must_use]
    pub fn into_changes(self) -> Changes {
        let Self { keys, accounts, shelves, new_entries, new_orders, closed_orders, .. } = self;
        let Self { users, tokens, catalogue, .. } = self;
        let mut changes = Changes {
            entries: new_entries,
            stocks: shelves.into_iter().filter_map(|(id, shelf)| shelf?.into_change(id)).collect(),
            new_orders,
            closed_orders,
            ..Changes::default()
        };
        let mut accounts: Vec<_> = accounts.into_iter().collect();
        accounts.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
        for (user_id, account) in accounts {
            account.add_changes(user_id, &mut changes);
        }
        for user in users.into_values() {
            user.add_changes(&mut changes);
        }
        tokens.add_changes(&mut changes);
        catalogue.add_changes(&mut changes);
        (changes.responses, changes.key_uses) = keys.into_changes();
        changes
    }
}
