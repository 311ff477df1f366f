use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use async_trait::async_trait;
use pointbook_app::StoreResult;
use pointbook_app::commands::{AccountState, CatalogueRow};
use pointbook_app::ports::{
    AuditBatch, CatalogueStore, CatalogueVersion, FoundToken, HistoryRead, LedgerEntry, LedgerStore,
    OrderStore, PageOf, ProductChange, Query, RequestKeyStore, SecretStore, StockCount, TokenStore,
};
use pointbook_domain::audit::{AuditFact, RowContent, StoredRow, StoredUser};
use pointbook_domain::{
    CategoryTree, Day, Order, OrderId, OrderStatus, PageRequest, ProductId, Timestamp, TokenHash,
    TokenRecord, UserId,
};
use pointbook_schema::AWARDS;
use pointbook_schema::rows::AwardRow;
use tokio::sync::mpsc;

use super::{MemoryTenant, Rows};
use crate::build;

/// Facts of an audit per batch.
const FACTS_PER_BATCH: usize = 1_000;

fn page<T>(items: Vec<T>, page: PageRequest) -> PageOf<T> {
    let (total, offset) = (items.len() as u64, usize::try_from(page.offset()).unwrap());
    PageOf { items: items.into_iter().skip(offset).take(page.size.get() as usize).collect(), total }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap()
}

#[async_trait]
impl TokenStore for MemoryTenant {
    async fn find_token(&self, hash: &TokenHash) -> StoreResult<Option<FoundToken>> {
        self.with(|rows| {
            let record = rows.tokens.get(hash)?.clone();
            let user = record.kind.user().and_then(|id| rows.user(id));
            Some(FoundToken { record, user_disabled: user.is_some_and(|user| user.disabled_at.is_some()) })
        })
    }

    async fn remove_ended_tokens(&self, ended_before: Timestamp, limit: u32) -> StoreResult<u32> {
        let is_over = |at: Option<Timestamp>| at.is_some_and(|at| at < ended_before);
        self.with(|rows| {
            let ended = |token: &&TokenRecord| is_over(token.expires_at) || is_over(token.revoked_at);
            let hashes: Vec<_> = rows.tokens.values().filter(ended).map(|token| token.hash).collect();
            let ended = hashes.iter().take(limit as usize);
            number(ended.filter(|hash| rows.tokens.remove(hash).is_some()).count())
        })
    }
}

impl Rows {
    fn stock_count(&self, row: &CatalogueRow) -> StockCount {
        let id = &row.product.id;
        let orders = self.orders.values().filter(|order| order.product.id == *id);
        let placed = orders.filter(|order| order.status == OrderStatus::Placed);
        StockCount {
            product_id: id.clone(),
            stock: row.product.stock.map(i64::from),
            supplied: row.supplied,
            reserved: row.reserved.cast_signed(),
            placed_pieces: placed.map(|order| i64::from(order.quantity.get())).sum(),
            taken_pieces: self.taken_pieces(id),
        }
    }

    fn days_of(&self, user: &UserId) -> BTreeSet<Day> {
        self.entries_of(user).map(|entry| entry.transaction.activity.created_at.day()).collect()
    }

    fn is_own_source(&self, source: &str) -> bool {
        OrderId::candidates(source).into_iter().any(|name| self.orders.keys().any(|id| id.as_str() == name))
    }

    fn history_page(&self, user: &UserId, request: PageRequest) -> HistoryRead {
        let days: Vec<_> = self.days_of(user).into_iter().rev().collect();
        let day_count = days.len() as u64;
        let days = page(days, request).items;
        let on_page = self.entries_of(user).map(|entry| &entry.transaction);
        let on_page = on_page.filter(|transaction| days.contains(&transaction.activity.created_at.day()));
        let rows = build::history_rows_of_orders(on_page, |source| self.is_own_source(source));
        let user_points = self.user(user).map(|user| user.balance).unwrap_or_default();
        HistoryRead { user_points, day_count, rows }
    }

    fn audit_facts(&self) -> AuditBatch {
        let mut facts = AuditBatch::new();
        for (id, (_, state)) in &self.users {
            let mut add = |fact| facts.push((id.clone(), fact));
            add(AuditFact::User(stored_user(state)));
            for day in self.days_of(id) {
                add(AuditFact::Day {
                    day,
                    transaction_count: i64::try_from(self.entries_on(id, day)).unwrap(),
                });
            }
            let mut orders: Vec<_> = self.orders.values().filter(|order| order.user_id == *id).collect();
            orders.sort_by_key(|order| (order.created_at, &order.id));
            for order in orders {
                add(AuditFact::Order(Box::new(order.clone())));
            }
            let awards = self.found(&Query::of_table("awards", &AWARDS)).unwrap();
            let awards: Vec<AwardRow> = Query::of_table("awards", &AWARDS).read(&awards).unwrap();
            for AwardRow { campaign_id, seq, points, .. } in
                awards.into_iter().filter(|award| award.user_id == *id)
            {
                add(AuditFact::Award { campaign_id, seq: seq.cast_signed(), points: points.get() });
            }
            for entry in self.entries_of(id) {
                add(AuditFact::Row(Box::new(stored_row(entry))));
            }
        }
        facts
    }
}

fn stored_user(state: &AccountState) -> StoredUser {
    StoredUser {
        balance: state.balance.get(),
        day_count: state.day_count.cast_signed(),
        last_seq: state.last_seq.cast_signed(),
        last_hash: state.last_hash,
        earned: state.earned.to_string(),
    }
}

fn stored_row(entry: &LedgerEntry) -> StoredRow {
    let LedgerEntry { user_id: _, seq, transaction, balance_after, recorded_at, hash } = entry.clone();
    let bonus_points = transaction.activity.bonuses.total().get();
    let content = Ok(RowContent { transaction, balance_after, recorded_at });
    StoredRow { seq: seq.cast_signed(), hash, bonus_points, content }
}

#[async_trait]
impl CatalogueStore for MemoryTenant {
    async fn catalogue_version(&self) -> StoreResult<CatalogueVersion> {
        self.with(|rows| rows.version)
    }

    async fn product_changes(
        &self,
        since: CatalogueVersion,
        after: Option<&ProductId>,
        limit: u32,
    ) -> StoreResult<Vec<ProductChange>> {
        let change = |row: &CatalogueRow| match row.retired_at {
            None => Some(ProductChange::Upserted(Box::new(row.product.clone()))),
            Some(_) => (since.0 > 0).then(|| ProductChange::Retired(row.product.id.clone())),
        };
        self.with(|rows| {
            let changed = rows.products.values().filter(|row| row.version > since);
            let further = changed.filter(|row| Some(&row.product.id) > after);
            further.filter_map(change).take(limit as usize).collect()
        })
    }

    async fn categories(&self) -> StoreResult<CategoryTree> {
        self.with(|rows| rows.categories.clone())
    }

    async fn stock_counts(&self, after: Option<&ProductId>, limit: u32) -> StoreResult<Vec<StockCount>> {
        self.with(|rows| {
            let further = rows.products.values().filter(|row| Some(&row.product.id) > after);
            further.take(limit as usize).map(|row| rows.stock_count(row)).collect()
        })
    }
}

#[async_trait]
impl LedgerStore for MemoryTenant {
    async fn history_page(&self, user: &UserId, request: PageRequest) -> StoreResult<HistoryRead> {
        self.with(|rows| rows.history_page(user, request))
    }

    async fn audit_facts(&self, facts: mpsc::Sender<AuditBatch>) -> StoreResult<()> {
        let all = self.with(|rows| rows.audit_facts())?;
        for batch in all.chunks(FACTS_PER_BATCH) {
            if facts.send(batch.to_vec()).await.is_err() {
                break;
            }
        }
        Ok(())
    }
}

#[async_trait]
impl OrderStore for MemoryTenant {
    async fn most_ordered(&self, since: Timestamp, limit: u32) -> StoreResult<Vec<ProductId>> {
        self.with(|rows| {
            let mut pieces = BTreeMap::<ProductId, u64>::new();
            let counts = |order: &&Order| order.created_at >= since && order.status != OrderStatus::Cancelled;
            for order in rows.orders.values().filter(counts) {
                *pieces.entry(order.product.id.clone()).or_default() += u64::from(order.quantity.get());
            }
            let is_there = |id: &ProductId| {
                rows.products.get(id).is_some_and(|row| row.retired_at.is_none() && row.product.active)
            };
            let mut ordered: Vec<_> = pieces.into_iter().filter(|(id, _)| is_there(id)).collect();
            ordered.sort_by_key(|(_, pieces)| Reverse(*pieces));
            ordered.into_iter().take(limit as usize).map(|(id, _)| id).collect()
        })
    }
}

#[async_trait]
impl RequestKeyStore for MemoryTenant {
    async fn forget_request_keys(&self, used_before: Timestamp, limit: u32) -> StoreResult<u32> {
        self.with(|rows| {
            let old = rows.keys.iter().filter(|(_, row)| row.used_at < used_before);
            let old: Vec<_> = old.map(|(name, _)| name.clone()).take(limit as usize).collect();
            number(old.iter().filter(|name| rows.keys.remove(name).is_some()).count())
        })
    }

    async fn oldest_request_key(&self) -> StoreResult<Option<Timestamp>> {
        self.with(|rows| rows.keys.values().map(|row| row.used_at).min())
    }
}

#[async_trait]
impl SecretStore for MemoryTenant {
    async fn secret(&self, name: &str, fresh: &[u8; 32], _: Timestamp) -> StoreResult<[u8; 32]> {
        self.with(|rows| *rows.secrets.entry(name.to_owned()).or_insert(*fresh))
    }
}
