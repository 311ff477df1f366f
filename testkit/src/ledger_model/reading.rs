//! Compares the state of a store with the lists after the same writes, field by field.

use std::collections::BTreeSet;

use pointbook_domain::{Order, OrderStatus, User, UserId};
use pointbook_points::audit::stock::StockCount;
use pointbook_store::ports::{CatalogueVersion, HistoryRead, LedgerEntry, PageOf, StoredProduct};
use proptest::prop_assert_eq;
use proptest::test_runner::TestCaseError;

use super::NaiveTenant;
use crate::build;
use crate::conformance::state::TenantState;

impl NaiveTenant {
    /// Fails when the read state differs from the lists. Every user was created at noon.
    pub(super) fn agree(&self, read: TenantState) -> Result<(), TestCaseError> {
        let TenantState { users, histories, entries, orders, products, stock, version } = read;
        prop_assert_eq!(version, CatalogueVersion(self.version));
        prop_assert_eq!(orders, self.orders());
        prop_assert_eq!(products, self.products());
        prop_assert_eq!(stock, self.stock());
        prop_assert_eq!(users.len(), histories.len());
        for (user, history) in users.into_iter().zip(histories) {
            prop_assert_eq!(history, self.history(&user.id));
            let of_user: Vec<_> = entries.iter().filter(|entry| entry.user_id == user.id).collect();
            self.agree_on_entries(&user.id, &of_user)?;
            let (id, balance) = (user.id.clone(), self.points(&user.id));
            let pending = self.pending(&user.id);
            let created_at = build::noon();
            let expected = User {
                lots: None,
                pending,
                id,
                balance,
                birth_date: None,
                locale: None,
                disabled_at: None,
                created_at,
                birth_date_set_at: None,
            };
            prop_assert_eq!(user, expected);
        }
        Ok(())
    }

    fn agree_on_entries(&self, user: &UserId, entries: &[&LedgerEntry]) -> Result<(), TestCaseError> {
        let rows: Vec<_> = self.rows.iter().filter(|row| row.new.user_id == *user).collect();
        prop_assert_eq!(entries.len(), rows.len());
        let mut balance = 0;
        for ((seq, entry), row) in (1_u64..).zip(entries).zip(rows) {
            balance += row.new.transaction.activity.net_points().unwrap().get();
            prop_assert_eq!(&entry.transaction, &row.new.transaction);
            prop_assert_eq!((entry.seq, entry.balance_after.get()), (seq, balance));
            prop_assert_eq!(entry.recorded_at, row.at);
        }
        Ok(())
    }

    /// The history of a user on one page.
    fn history(&self, user: &UserId) -> HistoryRead {
        let days: BTreeSet<_> = self.rows_of(user).map(|row| row.activity.created_at.day()).collect();
        let is_own_source = |source: &str| {
            let has = |order: &Order| {
                [order.id.spending_source(), order.id.refund_source()].iter().any(|id| id.as_str() == source)
            };
            self.orders.iter().any(has)
        };
        let rows = build::history_rows_of_orders(self.rows_of(user), is_own_source);
        HistoryRead {
            user_points: self.points(user),
            day_count: days.len() as u64,
            next_expiry_on: None,
            rows,
        }
    }

    /// The orders, newest first. Each has a different time.
    fn orders(&self) -> PageOf<Order> {
        let mut items = self.orders.clone();
        items.sort_by_key(|order| std::cmp::Reverse(order.created_at));
        PageOf { total: items.len() as u64, items }
    }

    fn products(&self) -> PageOf<StoredProduct> {
        let listed = self.products.values().filter(|naive| !naive.is_retired);
        let stored = listed.map(|naive| StoredProduct {
            product: naive.product.clone(),
            reserved: self.pieces(&naive.product.id, |order| order.status == OrderStatus::Placed),
            version: CatalogueVersion(naive.version),
        });
        let items: Vec<_> = stored.collect();
        PageOf { total: items.len() as u64, items }
    }

    /// Pieces of the product in orders of this kind.
    pub(super) fn pieces(&self, id: &pointbook_domain::ProductId, of: impl Fn(&Order) -> bool) -> u64 {
        let orders = self.orders.iter().filter(|order| order.product.id == *id && of(order));
        orders.map(|order| u64::from(order.quantity.get())).sum()
    }

    fn stock(&self) -> Vec<StockCount> {
        let count = |naive: &super::NaiveProduct| {
            let id = &naive.product.id;
            let reserved = self.pieces(id, |order| order.status == OrderStatus::Placed).cast_signed();
            let is_taken = |order: &Order| order.takes_stock && order.status != OrderStatus::Cancelled;
            let taken = self.pieces(id, is_taken).cast_signed();
            let stock = naive.product.stock.map(i64::from);
            StockCount {
                product_id: id.clone(),
                stock,
                supplied: stock.unwrap_or(0) + taken,
                reserved,
                placed: reserved,
                taken,
            }
        };
        self.products.values().map(count).collect()
    }
}
