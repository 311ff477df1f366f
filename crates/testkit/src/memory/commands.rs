//! Loads the needs of a command, and saves its changes. Commands run one at a time, so guards always hold.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use pointbook_app::audit_log::{AuditSeal, append};
use pointbook_app::commands::{
    AccountState, AnyCommand, CatalogueRow, Changes, ClockChange, CommandStore, Decided, EntryKey, Facts,
    KeptResponse, KeyUse, Needs, NewEntry, OwnedToken, ProductFacts, ProductWrite, RowChange, StockChange,
    StockGuard, StoredEntry, StoredKey, first_needs, further_needs,
};
use pointbook_app::ports::{CatalogueVersion, JobId, LedgerEntry, Query, RequestKey};
use pointbook_app::tables::{Cell, Column, Row, TABLES, Table};
use pointbook_app::{StoreError, StoreResult};
use pointbook_domain::{
    AuditChain, ClockOffset, Day, NewAuditEntry, Order, OrderStatus, Points, ProductId, Timestamp, TokenHash,
    TokenKind, TokenRecord, User, UserId,
};
use pointbook_schema::{WEBHOOK_ATTEMPTS, WEBHOOK_PROGRESS, WEBHOOKS};

use super::{KeyRow, MemoryTenant, Rows, awards, jobs};

#[async_trait]
impl CommandStore for MemoryTenant {
    async fn run(&self, command: Arc<dyn AnyCommand>) -> StoreResult<()> {
        let mut state = self.state.lock().unwrap();
        let tenant = state.tenants.iter().find(|tenant| tenant.id == self.id);
        let clock = tenant.map(|tenant| tenant.clock).unwrap_or_default();
        let unknown = || StoreError::Corrupt(format!("no tenant {}", self.id));
        let rows = state.rows.get_mut(&self.id).ok_or_else(unknown)?;
        let (change, due_jobs) = execute(rows, clock, &*command)?;
        if let Some(change) = change {
            state.set_clock(&self.id, change);
        }
        for (name, at) in due_jobs {
            jobs::schedule(&mut state.jobs, &JobId::recurring(&self.id, name), at);
        }
        Ok(())
    }
}

/// How a command changed the tenant's clock, and the jobs that it made due.
type OfService = (Option<ClockChange>, BTreeMap<&'static str, Timestamp>);

/// Executes a command on the rows of a tenant.
fn execute(rows: &mut Rows, clock: ClockOffset, command: &dyn AnyCommand) -> StoreResult<OfService> {
    let mut facts = Facts::default();
    facts.put_clock(clock);
    if let Some(key) = command.key() {
        rows.load_key(key, &mut facts);
    }
    if !command.key().is_some_and(|key| facts.has_stored_key(key)) {
        rows.load(&first_needs([command]), &mut facts);
        rows.load(&further_needs([command], &facts), &mut facts);
    }
    match command.decide(&mut facts).map_err(|error| StoreError::Failed(Box::new(error)))? {
        Decided::Yes => {
            let mut changes = facts.into_changes();
            let of_service = (changes.clock, std::mem::take(&mut changes.due_jobs));
            rows.keep(changes);
            Ok(of_service)
        }
        Decided::NotYet => Err(StoreError::Corrupt(format!("{} lacks facts", command.name()))),
    }
}

impl Rows {
    fn load_key(&self, key: &RequestKey, facts: &mut Facts) {
        let row = self.keys.get(&(key.principal.clone(), key.key.clone()));
        let kept = self.keys.keys().filter(|(principal, _)| *principal == key.principal).count();
        let is_full = key.max_kept.is_some_and(|max| kept >= max as usize);
        facts.put_key(key, row.map(|row| row.stored.clone()), is_full);
    }

    fn load(&self, needs: &Needs, facts: &mut Facts) {
        if let Some(at) = needs.events_after {
            facts.put_events_after(at, self.has_events_after(at));
        }
        for user in &needs.accounts {
            facts.put_account(
                user.clone(),
                self.users.get(user).map(|(user, state)| awards::account(user, state)),
            );
        }
        for (key, day) in &needs.entries {
            facts.put_day(&key.user_id, *day, self.entries_on(&key.user_id, *day) > 0);
            facts.put_entry(key.clone(), self.entry(key));
        }
        for name in &needs.order_names {
            facts.put_order_name(name.clone(), self.orders.keys().any(|id| id.as_str() == name));
        }
        for id in &needs.orders {
            facts.put_order(id.clone(), self.orders.get(id).cloned());
        }
        for id in &needs.products {
            facts.put_product(id.clone(), self.products.get(id).map(|row| self.product_facts(row)));
        }
        for id in &needs.users {
            facts.put_user(id.clone(), self.user(id));
        }
        for hash in &needs.tokens {
            facts.put_token(*hash, self.tokens.get(hash).and_then(unrevoked));
        }
        for owner in &needs.tokens_of {
            facts.put_tokens_of(owner.clone(), self.unrevoked_of(owner));
        }
        self.load_awards(needs, facts);
        self.load_catalogue(needs, facts);
        facts.put_data_key(self.data_key.clone());
        for table in &needs.tables {
            facts.put_table(table, self.found(&Query::of_table("load_table", table)).unwrap());
        }
    }

    fn load_catalogue(&self, needs: &Needs, facts: &mut Facts) {
        facts.put_catalogue_version(self.version);
        facts.put_categories(self.categories.clone());
        for id in &needs.catalogue_products {
            facts.put_catalogue_product(id.clone(), self.products.get(id).cloned());
        }
        for id in &needs.taken_pieces {
            facts.put_taken_pieces(id.clone(), self.taken_pieces(id));
        }
    }

    fn has_events_after(&self, at: Timestamp) -> bool {
        let users = self.users.values().flat_map(|(user, _)| [Some(user.created_at), user.disabled_at]);
        let retired = self.products.values().map(|row| row.retired_at);
        let recorded = self.entries.values().map(|entry| Some(entry.recorded_at));
        let order = |order: &Order| [Some(order.created_at), order.fulfilled_at, order.cancelled_at];
        let keys = self.keys.values().map(|key| Some(key.used_at));
        let tokens = self.tokens.values().flat_map(|token| [Some(token.created_at), token.revoked_at]);
        let events = users.chain(retired).chain(recorded).chain(self.orders.values().flat_map(order));
        events.chain(keys).chain(tokens).flatten().any(|event| event > at) || self.table_rows_after(at)
    }

    fn table_rows_after(&self, at: Timestamp) -> bool {
        let after = |table: &Table, row: &Row| {
            let is_event = |(column, cell): (&Column, &Cell)| {
                table.event_columns.contains(&column.name) && *cell > Cell::Integer(at.as_micros())
            };
            table.columns.iter().zip(row).any(is_event)
        };
        let tables = TABLES.iter().filter_map(|table| Some((table, self.tables.get(table.name)?)));
        tables
            .flat_map(|(table, rows)| rows.iter().map(move |row| (table, row)))
            .any(|(table, row)| after(table, row))
    }

    /// How many rows of the ledger a user has on a day.
    pub(super) fn entries_on(&self, user_id: &UserId, day: Day) -> usize {
        self.entries_of(user_id).filter(|entry| entry.transaction.activity.created_at.day() == day).count()
    }

    pub(super) fn entries_of<'r>(
        &'r self,
        user_id: &UserId,
    ) -> impl Iterator<Item = &'r LedgerEntry> + use<'r> {
        let range = (user_id.clone(), 0)..=(user_id.clone(), u64::MAX);
        self.entries.range(range).map(|(_, entry)| entry)
    }

    fn entry(&self, key: &EntryKey) -> Option<StoredEntry> {
        let is_it = |entry: &&LedgerEntry| EntryKey::of(&key.user_id, &entry.transaction.activity) == *key;
        let LedgerEntry { seq, transaction, .. } = self.entries_of(&key.user_id).find(is_it)?.clone();
        Some(StoredEntry { seq, transaction: transaction.into() })
    }

    fn product_facts(&self, row: &CatalogueRow) -> ProductFacts {
        ProductFacts {
            product: row.product.clone(),
            is_retired: row.retired_at.is_some(),
            reserved: row.reserved.cast_signed(),
            version: row.version.0,
            low_stock_threshold: self.low_stock_threshold,
        }
    }

    pub(super) fn user(&self, id: &UserId) -> Option<User> {
        let (user, state) = self.users.get(id)?;
        Some(User { balance: state.balance, ..user.clone() })
    }

    fn unrevoked_of(&self, owner: &TokenKind) -> Vec<OwnedToken> {
        self.tokens.values().filter(|token| token.kind == *owner).filter_map(unrevoked).collect()
    }

    pub(super) fn taken_pieces(&self, id: &ProductId) -> i64 {
        let orders = self.orders.values().filter(|order| order.product.id == *id && order.takes_stock);
        let taken = orders.filter(|order| order.status != OrderStatus::Cancelled);
        taken.map(|order| i64::from(order.quantity.get())).sum()
    }

    /// Sets the threshold. A different one marks all limited products as changed.
    pub(super) fn set_threshold(&mut self, threshold: u32) {
        if self.low_stock_threshold == threshold {
            return;
        }
        self.low_stock_threshold = threshold;
        self.version.0 += 1;
        let limited = |row: &&mut CatalogueRow| row.product.stock.is_some() && row.retired_at.is_none();
        self.products.values_mut().filter(limited).for_each(|row| row.version = self.version);
    }

    fn keep(&mut self, changes: Changes) {
        self.append_blocks(&changes);
        self.remove_blocks(changes.removed_blocks);
        self.restart_feed(changes.feed_restart);
        self.version.0 += u64::from(changes.raises_catalogue());
        for user in changes.new_users.into_iter().chain(changes.changed_users) {
            let state = self.users.get(&user.id).map_or(AccountState::NEW, |(_, state)| state.clone());
            self.users.insert(user.id.clone(), (user, state));
        }
        for change in changes.accounts {
            let id = change.user_id;
            let row = self.users.entry(id.clone()).or_insert_with(|| unknown(id, change.recorded_at));
            row.1 = change.after;
        }
        for entry in changes.entries {
            self.entries.insert((entry.user_id.clone(), entry.seq), ledger_entry(entry));
        }
        for order in changes.new_orders.into_iter().chain(changes.closed_orders) {
            self.orders.insert(order.id.clone(), order);
        }
        changes.stocks.iter().for_each(|change| self.change_stock(change));
        changes.products.into_iter().for_each(|write| self.write_product(write));
        for (id, at) in changes.retired_products {
            let row = self.products.get_mut(&id).unwrap();
            (row.retired_at, row.version) = (Some(at), self.version);
        }
        self.categories = changes.categories.unwrap_or_else(|| std::mem::take(&mut self.categories));
        self.keep_tokens(changes.tokens, changes.used_tokens, changes.revoked_tokens);
        self.data_key = changes.data_key.map(|change| change.after).or(self.data_key.take());
        self.keep_keys(changes.responses, changes.key_uses);
        changes.rows.iter().for_each(|change| self.change_row(change));
        self.keep_awards(&changes.awards, &changes.budgets);
        self.append_audit(&changes.audit);
        self.seal_audit(changes.audit_seal);
    }

    fn keep_tokens(
        &mut self,
        new: Vec<TokenRecord>,
        used: Vec<(TokenHash, Timestamp)>,
        revoked: Vec<(TokenHash, Timestamp)>,
    ) {
        self.tokens.extend(new.into_iter().map(|token| (token.hash, token)));
        for (hash, at) in used {
            if let Some(token) = self.tokens.get_mut(&hash) {
                token.last_used_at = token.last_used_at.max(Some(at));
            }
        }
        for (hash, at) in revoked {
            self.tokens.get_mut(&hash).unwrap().revoked_at = Some(at);
        }
    }

    fn seal_audit(&mut self, seal: Option<AuditSeal>) {
        if let Some(seal) = seal {
            self.audit.retain(|seq, _| *seq > seal.to_seq);
            let chain = self.audit_chain.as_mut().unwrap();
            (chain.sealed_seq, chain.sealed_hash, chain.sealed_at) =
                (seal.to_seq, seal.to_hash, Some(seal.at));
        }
    }

    pub(super) fn append_audit(&mut self, entries: &[NewAuditEntry]) {
        if entries.is_empty() {
            return;
        }
        let chain = self.audit_chain.get_or_insert(AuditChain::EMPTY);
        let linked = append(chain, entries);
        self.audit.extend(linked.into_iter().map(|entry| (entry.seq, entry)));
    }

    fn keep_keys(&mut self, responses: Vec<KeptResponse>, uses: Vec<KeyUse>) {
        for kept in responses {
            let (created_at, used_at) = (kept.now, kept.response.used_at(kept.now));
            let stored = StoredKey { fingerprint: kept.key.fingerprint, answer: kept.response.answer };
            let row = KeyRow { stored, created_at, used_at };
            self.keys.insert((kept.key.principal, kept.key.key), row);
        }
        for used in uses {
            let row = self.keys.get_mut(&(used.key.principal, used.key.key)).unwrap();
            // The stored time of a refusal is before its creation, and replays do not change it.
            if row.used_at >= row.created_at {
                row.used_at = row.used_at.max(used.now);
            }
        }
    }

    pub(super) fn change_row(&mut self, change: &RowChange) {
        let table = change.table();
        let rows = self.tables.entry(table.name).or_default();
        rows.retain(|row| table.key_of(row) != table.key_of(change.row()));
        if let RowChange::Write(_, row) = change {
            rows.push(row.clone());
        } else if table.name == WEBHOOKS.name {
            let id = change.row().first();
            for parts in [&WEBHOOK_PROGRESS, &WEBHOOK_ATTEMPTS] {
                self.tables.entry(parts.name).or_default().retain(|row| row.first() != id);
            }
        }
    }

    fn change_stock(&mut self, change: &StockChange) {
        let row = self.products.get_mut(&change.product_id).unwrap();
        let stock = row.product.stock.map(|stock| i64::from(stock) + change.stock);
        row.product.stock = stock.map(|stock| u32::try_from(stock).unwrap());
        row.reserved = row.reserved.checked_add_signed(change.reserved).unwrap();
        row.supplied = row.supplied.map(|supplied| supplied + change.supplied);
        if let StockGuard::Shown { .. } = change.guard {
            row.version = self.version;
        }
    }

    fn write_product(&mut self, write: ProductWrite) {
        let ProductWrite { product, supplied } = write;
        let reserved = self.products.get(&product.id).map_or(0, |row| row.reserved);
        let row = CatalogueRow {
            product,
            supplied,
            reserved,
            retired_at: None,
            version: CatalogueVersion(self.version.0),
        };
        self.products.insert(row.product.id.clone(), row);
    }
}

fn unrevoked(token: &TokenRecord) -> Option<OwnedToken> {
    let TokenRecord { hash, expires_at, revoked_at, .. } = token;
    revoked_at.is_none().then_some(OwnedToken { hash: *hash, expires_at: *expires_at })
}

fn unknown(id: UserId, created_at: Timestamp) -> (User, AccountState) {
    let (balance, birth_date, locale, disabled_at) = (Points::ZERO, None, None, None);
    (
        User { id, balance, birth_date, locale, disabled_at, created_at, birth_date_set_at: None },
        AccountState::NEW,
    )
}

fn ledger_entry(entry: NewEntry) -> LedgerEntry {
    let NewEntry { user_id, seq, transaction, balance_after, recorded_at, hash } = entry;
    let transaction = Arc::unwrap_or_clone(transaction);
    LedgerEntry { user_id, seq, transaction, balance_after, recorded_at, hash }
}
