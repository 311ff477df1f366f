//! Checks that each order of a user took its points, and returned them when it was cancelled.

use std::collections::HashMap;

use super::fact::StoredRow;
use crate::activity::ORDER;
use crate::{Activity, Order, OrderId, OrderStatus, Points, Timestamp};

/// The orders of one user, and all transactions of type `order`, imported ones included.
#[derive(Debug, Default)]
pub(super) struct OrderChecks {
    orders: Vec<Order>,
    rows: HashMap<String, Found>,
}

impl OrderChecks {
    /// Takes an order. All of them come before the first row.
    pub(super) fn take_order(&mut self, order: Order) {
        self.orders.push(order);
    }

    pub(super) fn take_row(&mut self, row: &StoredRow) {
        if self.orders.is_empty() || row.kind() != ORDER {
            return;
        }
        let activity = row.content.as_ref().ok().map(|content| content.transaction.activity.clone());
        let found = Found { changed: row.net_points(), left: row.balance_after(), activity };
        self.rows.insert(row.source_id().to_owned(), found);
    }

    pub(super) fn count(&self) -> u64 {
        self.orders.len() as u64
    }

    pub(super) fn differences(&self) -> impl Iterator<Item = String> {
        self.orders.iter().flat_map(|order| {
            let mut faults = Vec::new();
            let Order { product, quantity, points: costs, .. } = order;
            let pieces = i128::from(product.price.get()) * i128::from(quantity.get());
            if pieces != i128::from(costs.get()) {
                faults.push(format!("costs {costs} points but its pieces come to {pieces}"));
            }
            add_spending_faults(order, self.rows.get(order.id.spending_source().as_str()), &mut faults);
            add_refund_faults(order, self.rows.get(order.id.refund_source().as_str()), &mut faults);
            faults.into_iter().map(|fault| of_order(&order.id, &fault))
        })
    }
}

pub(super) fn of_order(id: &OrderId, fault: &str) -> String {
    format!("order {:?}: {fault}", id.as_str())
}

fn add_spending_faults(order: &Order, found: Option<&Found>, faults: &mut Vec<String>) {
    let costs = order.points;
    let Some(found) = found else {
        faults.push(format!("no transaction took its {costs} points"));
        return;
    };
    let Found { changed, left, .. } = found;
    if *changed != i128::from(costs.negated().get()) {
        faults.push(format!("costs {costs} points but its transaction is of {changed} points"));
    }
    if costs > Points::ZERO && *left < 0 {
        faults.push(format!("the transaction that took its points left {left}"));
    }
    let others = found.others(|_| order.spending());
    faults.extend(others.map(|field| format!("the transaction that took its points has {field}")));
}

fn add_refund_faults(order: &Order, found: Option<&Found>, faults: &mut Vec<String>) {
    let costs = order.points;
    match (order.status, found) {
        (OrderStatus::Placed | OrderStatus::Fulfilled, None) => {}
        (OrderStatus::Cancelled, None) => {
            faults.push(format!("is cancelled but no transaction gave its {costs} points back"));
        }
        (OrderStatus::Cancelled, Some(found)) => {
            let changed = found.changed;
            if changed != i128::from(costs.get()) {
                faults.push(format!(
                    "is cancelled and cost {costs} points but its refund is of {changed} points"
                ));
            }
            let others = found.others(|at| order.refund(order.cancelled_at.unwrap_or(at)));
            faults.extend(others.map(|field| format!("its refund has {field}")));
        }
        (status @ (OrderStatus::Placed | OrderStatus::Fulfilled), Some(_)) => {
            faults.push(format!("is {status} but a transaction gave its points back"));
        }
    }
}

/// The transaction of a spending or a refund.
#[derive(Debug)]
struct Found {
    /// The change of the balance, in points.
    changed: i128,
    /// The balance after it, in points.
    left: i64,
    /// `None` when it is unreadable, which is another difference.
    activity: Option<Activity>,
}

impl Found {
    /// Compares the content with the order. Type and source id found the activity, and points include bonuses.
    fn others(&self, expected: impl Fn(Timestamp) -> Activity) -> impl Iterator<Item = &'static str> {
        let fields = self.activity.iter().flat_map(move |found| {
            let expected = expected(found.created_at);
            let Activity {
                kind: _,
                source_id: _,
                points: _,
                bonuses,
                title,
                subtitle,
                created_at,
                attributes: _,
            } = found;
            [
                ("bonuses", *bonuses != expected.bonuses),
                ("another title", *title != expected.title),
                ("another number", *subtitle != expected.subtitle),
                ("another time", *created_at != expected.created_at),
            ]
        });
        fields.filter(|(_, is_other)| *is_other).map(|(field, _)| field)
    }
}
