//! Orders, users, tokens, the data key, and the keys of executed requests.

use pointbook_domain::{
    Order, OrderId, OrderStatus, Timestamp, TokenHash, TokenKind, TokenRecord, User, UserId,
};
use serde_json::json;

use super::Facts;
use crate::audit_log::{ChangeNote, order_fields, token_fields, user_fields};
use crate::commands::CommandError;
use crate::commands::changes::{Changes, DataKeyChange, KeptResponse, KeyUse};
use crate::ports::{NewAnswer, RequestKey, StoredAnswer};
use crate::schema::rows::{HeldToken, SealedDataKey};

/// The stored part of an executed request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredKey {
    /// The SHA-256 of the request.
    pub fingerprint: [u8; 32],
    pub answer: StoredAnswer,
}

#[derive(Debug)]
pub(in crate::commands) enum KeyFact {
    /// No request with this key was executed.
    Free,
    /// The key is free, but its principal has as many keys as allowed.
    Full,
    Stored(StoredKey),
    /// A command that was decided on these facts has the key.
    UsedNow,
}

/// A user as read, and the present state.
#[derive(Debug)]
pub(super) struct UserFact {
    is_stored: bool,
    is_changed: bool,
    now: Option<User>,
}

impl UserFact {
    pub(super) fn new(stored: Option<User>) -> Self {
        Self { is_stored: stored.is_some(), is_changed: false, now: stored }
    }

    pub(super) fn add_changes(self, changes: &mut Changes) {
        let Self { is_stored, is_changed: true, now: Some(user) } = self else { return };
        if is_stored { changes.changed_users.push(user) } else { changes.new_users.push(user) }
    }
}

/// A token that is not revoked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OwnedToken {
    pub hash: TokenHash,
    /// `None` for never.
    pub expires_at: Option<Timestamp>,
}

impl OwnedToken {
    fn is_good_at(&self, now: Timestamp) -> bool {
        self.expires_at.is_none_or(|end| now < end)
    }
}

impl From<HeldToken> for OwnedToken {
    fn from(HeldToken { user_id: _, hash, expires_at }: HeldToken) -> Self {
        Self { hash, expires_at }
    }
}

/// Orders. Here and below, each function fails when the row was not loaded.
impl Facts {
    /// The order, as earlier commands of the same commit left it. `None` when the tenant has no such order.
    ///
    /// # Errors
    /// When the command did not ask for it.
    pub fn order(&self, id: &OrderId) -> Result<Option<&Order>, CommandError> {
        self.orders.get(id).map(Option::as_ref).ok_or_else(CommandError::not_loaded("orders"))
    }

    /// Adds an order. Its id and its number are new.
    pub fn place(&mut self, order: Order) {
        self.order_names.insert(order.id.as_str().to_owned(), true);
        self.changes.new_orders.push(order);
    }

    /// Closes a placed order with this new state.
    pub fn close(&mut self, order: Order, reason: Option<&str>) {
        self.note(|| {
            let operation =
                if order.status == OrderStatus::Cancelled { "order.cancel" } else { "order.fulfil" };
            let before = order_fields(&order, OrderStatus::Placed);
            let after = order_fields(&order, order.status);
            let note = ChangeNote::new(operation, format!("order:{}", order.id), Some(before), Some(after));
            reason.into_iter().fold(note, ChangeNote::because)
        });
        self.orders.insert(order.id.clone(), Some(order.clone()));
        self.changes.closed_orders.push(order);
    }
}

/// Users and their tokens.
impl Facts {
    pub fn user(&self, id: &UserId) -> Result<Option<&User>, CommandError> {
        let fact = self.users.get(id).ok_or_else(CommandError::not_loaded("users"))?;
        Ok(fact.now.as_ref())
    }

    /// Creates a user, or changes the profile of one.
    pub fn write_user(&mut self, user: User) -> Result<(), CommandError> {
        let fact = self.users.get_mut(&user.id).ok_or_else(CommandError::not_loaded("users"))?;
        fact.is_changed = true;
        let (before, after) = (fact.now.replace(user.clone()), user);
        self.note(|| {
            let operation = if before.is_some() { "user.change" } else { "user.create" };
            let before = before.as_ref().map(user_fields);
            ChangeNote::new(operation, format!("user:{}", after.id), before, Some(user_fields(&after)))
        });
        Ok(())
    }

    /// Stores a token, and replaces one with the same hash.
    pub fn store_token(&mut self, token: TokenRecord) {
        let TokenRecord { hash, expires_at, .. } = token;
        self.note(|| {
            let (operation, noun) = match token.kind {
                TokenKind::SuperUser => ("key.add", "key"),
                TokenKind::Customer(_) => ("token.issue", "token"),
            };
            ChangeNote::new(operation, format!("{noun}:{}", hash.id()), None, Some(token_fields(&token)))
        });
        if let Some(of_owner) = self.tokens_of.get_mut(&token.kind) {
            of_owner.retain(|stored| stored.hash != hash);
            of_owner.push(OwnedToken { hash, expires_at });
        }
        self.changes.tokens.push(token);
    }

    /// Counts the active tokens of an owner, except this one.
    pub fn count_tokens_of(
        &self,
        owner: &TokenKind,
        but: &TokenHash,
        at: Timestamp,
    ) -> Result<usize, CommandError> {
        let stored = self.tokens_of.get(owner).ok_or_else(CommandError::not_loaded("tokens"))?;
        Ok(stored.iter().filter(|token| token.hash != *but && token.is_good_at(at)).count())
    }

    /// Notes when a token was used.
    pub fn use_token(&mut self, hash: TokenHash, at: Timestamp) {
        self.changes.used_tokens.push((hash, at));
    }

    /// Revokes a token. False when no such token is active.
    pub fn revoke_token(&mut self, hash: TokenHash, at: Timestamp) -> Result<bool, CommandError> {
        let is_unrevoked = self.tokens.get_mut(&hash).ok_or_else(CommandError::not_loaded("tokens"))?;
        let was_unrevoked = std::mem::replace(is_unrevoked, false);
        if was_unrevoked {
            self.changes.revoked_tokens.push((hash, at));
        }
        Ok(was_unrevoked)
    }

    /// Revokes the tokens of an owner. Returns those that were active, by hash.
    pub fn revoke_tokens_of(
        &mut self,
        owner: &TokenKind,
        at: Timestamp,
    ) -> Result<Vec<TokenHash>, CommandError> {
        let stored = self.tokens_of.get_mut(owner).ok_or_else(CommandError::not_loaded("tokens"))?;
        let unrevoked = std::mem::take(stored);
        self.changes.revoked_tokens.extend(unrevoked.iter().map(|token| (token.hash, at)));
        let is_good = |token: &OwnedToken| token.is_good_at(at);
        let mut were_good: Vec<_> = unrevoked.into_iter().filter(is_good).map(|token| token.hash).collect();
        were_good.sort_unstable();
        Ok(were_good)
    }
}

/// Keys of requests.
impl Facts {
    /// The stored request under a key, and whether the principal has as many keys as allowed.
    pub fn put_key(&mut self, key: &RequestKey, stored: Option<StoredKey>, is_full: bool) {
        let fact = match stored {
            Some(stored) => KeyFact::Stored(stored),
            None if is_full => KeyFact::Full,
            None => KeyFact::Free,
        };
        self.keys.entry(name_of(key)).or_insert(fact);
    }

    pub fn has_stored_key(&self, key: &RequestKey) -> bool {
        matches!(self.key(key), Some(KeyFact::Stored(_)))
    }

    pub(in crate::commands) fn key(&self, key: &RequestKey) -> Option<&KeyFact> {
        self.keys.get(&name_of(key))
    }

    pub(in crate::commands) fn keep_response(
        &mut self,
        key: &RequestKey,
        now: Timestamp,
        response: NewAnswer,
    ) {
        self.keys.insert(name_of(key), KeyFact::UsedNow);
        self.changes.responses.push(KeptResponse { key: key.clone(), now, response });
    }

    pub(in crate::commands) fn use_key(&mut self, key: &RequestKey, now: Timestamp) {
        self.keys.insert(name_of(key), KeyFact::UsedNow);
        self.changes.key_uses.push(KeyUse { key: key.clone(), now });
    }
}

fn name_of(key: &RequestKey) -> (String, String) {
    (key.principal.clone(), key.key.clone())
}

/// The stored data key; `None` when the tenant has none.
#[derive(Debug)]
pub(super) struct LoadedDataKey(Option<SealedDataKey>);

/// The sealed data key of the tenant.
impl Facts {
    /// The stored data key; `None` when the tenant has none.
    pub fn put_data_key(&mut self, data_key: Option<SealedDataKey>) {
        self.data_key.get_or_insert(LoadedDataKey(data_key));
    }

    pub(crate) fn data_key(&self) -> Result<Option<&SealedDataKey>, CommandError> {
        let LoadedDataKey(stored) =
            self.data_key.as_ref().ok_or_else(CommandError::not_loaded("data_keys"))?;
        Ok(stored.as_ref())
    }

    /// Stores a data key in place of the loaded one.
    pub(crate) fn write_data_key(&mut self, after: SealedDataKey) -> Result<(), CommandError> {
        let LoadedDataKey(stored) =
            self.data_key.as_mut().ok_or_else(CommandError::not_loaded("data_keys"))?;
        let replaced = stored.replace(after.clone());
        // The guard is the row in the database, not the one of a command before this one.
        let before = self.changes.data_key.take().map_or(replaced, |change| change.before);
        self.note(|| {
            ChangeNote::of_event("data_key.seal", "data_key", json!({ "master_key": after.master_key_id }))
        });
        self.changes.data_key = Some(DataKeyChange { before, after });
        Ok(())
    }
}
