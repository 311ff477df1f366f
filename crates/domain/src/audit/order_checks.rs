//! Whether each order of a user took its points, and gave them back when it was cancelled.

use std::collections::HashMap;

use super::fact::StoredRow;
use crate::activity::ORDER;
use crate::{Activity, Order, OrderId, OrderStatus, Points, SourceId, Timestamp};

/// The orders of one user and what their transactions came to.
#[derive(Debug, Default)]
pub(super) struct OrderChecks {
    orders: Vec<OrderCheck>,
    /// Which order a source id belongs to, and as what.
    parts: HashMap<SourceId, (usize, Part)>,
}

#[derive(Debug, Clone, Copy)]
enum Part {
    Spending,
    Refund,
}

#[derive(Debug)]
struct OrderCheck {
    order: Order,
    spending: Option<Found>,
    refund: Option<Found>,
}

impl OrderChecks {
    /// Takes an order. All of them come before the first row.
    pub(super) fn take_order(&mut self, order: Order) {
        let place = self.orders.len();
        self.parts.insert(order.id.spending_source(), (place, Part::Spending));
        self.parts.insert(order.id.refund_source(), (place, Part::Refund));
        self.orders.push(OrderCheck { order, spending: None, refund: None });
    }

    /// Takes a row. One of type `order` that belongs to no order is the operator's own: fine.
    pub(super) fn take_row(&mut self, row: &StoredRow) {
        if self.orders.is_empty() || row.kind() != ORDER {
            return;
        }
        let Some((place, part)) = self.parts.get(row.source_id()) else { return };
        let Some(check) = self.orders.get_mut(*place) else { return };
        match part {
            Part::Spending => check.spending = Some(Found::spending(&check.order, row)),
            Part::Refund => check.refund = Some(Found::refund(&check.order, row)),
        }
    }

    pub(super) fn count(&self) -> u64 {
        self.orders.len() as u64
    }

    /// What is wrong, after the last row.
    pub(super) fn differences(&self) -> impl Iterator<Item = String> {
        let told = |check: &OrderCheck| {
            let faults = check.faults().into_iter();
            faults.map(|fault| of_order(&check.order.id, &fault)).collect::<Vec<_>>()
        };
        self.orders.iter().flat_map(told)
    }
}

/// What is wrong with an order.
pub(super) fn of_order(id: &OrderId, fault: &str) -> String {
    format!("order {:?}: {fault}", id.as_str())
}

impl OrderCheck {
    fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        let Order { product, quantity, points: costs, .. } = &self.order;
        let pieces = i128::from(product.price.get()) * i128::from(quantity.get());
        if pieces != i128::from(costs.get()) {
            faults.push(format!("costs {costs} points but its pieces come to {pieces}"));
        }
        self.add_spending_faults(&mut faults);
        self.add_refund_faults(&mut faults);
        faults
    }

    fn add_spending_faults(&self, faults: &mut Vec<String>) {
        let costs = self.order.points;
        let Some(Found { changed, left, others }) = &self.spending else {
            faults.push(format!("no transaction took its {costs} points"));
            return;
        };
        if *changed != i128::from(costs.negated().get()) {
            faults.push(format!("costs {costs} points but its transaction is of {changed} points"));
        }
        if costs > Points::ZERO && *left < 0 {
            faults.push(format!("the transaction that took its points left {left}"));
        }
        faults.extend(others.iter().map(|field| format!("the transaction that took its points has {field}")));
    }

    fn add_refund_faults(&self, faults: &mut Vec<String>) {
        let costs = self.order.points;
        match (self.order.status, &self.refund) {
            (OrderStatus::Placed | OrderStatus::Fulfilled, None) => {}
            (OrderStatus::Cancelled, None) => {
                faults.push(format!("is cancelled but no transaction gave its {costs} points back"));
            }
            (OrderStatus::Cancelled, Some(Found { changed, left: _, others })) => {
                if *changed != i128::from(costs.get()) {
                    faults.push(format!(
                        "is cancelled and cost {costs} points but its refund is of {changed} points"
                    ));
                }
                faults.extend(others.iter().map(|field| format!("its refund has {field}")));
            }
            (status @ (OrderStatus::Placed | OrderStatus::Fulfilled), Some(_)) => {
                faults.push(format!("is {status} but a transaction gave its points back"));
            }
        }
    }
}

/// What the transaction of a spending or a refund says.
#[derive(Debug)]
struct Found {
    /// What it changes the balance by, in points.
    changed: i128,
    /// The balance after it, in points.
    left: i64,
    /// Where it has other content than its order, but for the points.
    others: Vec<&'static str>,
}

impl Found {
    fn spending(order: &Order, row: &StoredRow) -> Self {
        Self::compare(row, |_| order.spending())
    }

    /// The time of an order that is not cancelled is not compared: that there is a refund is fault enough.
    fn refund(order: &Order, row: &StoredRow) -> Self {
        Self::compare(row, |at| order.refund(order.cancelled_at.unwrap_or(at)))
    }

    /// What cannot be read is told as that, and not compared.
    fn compare(row: &StoredRow, expected: impl FnOnce(Timestamp) -> Activity) -> Self {
        let others = row.content.as_ref().map_or_else(
            |_| Vec::new(),
            |content| {
                let activity = &content.transaction.activity;
                other_fields(activity, &expected(activity.created_at))
            },
        );
        Self { changed: row.net_points(), left: row.balance_after(), others }
    }
}

/// Type and source id are how the activity was found, and points are compared with their bonuses.
fn other_fields(found: &Activity, expected: &Activity) -> Vec<&'static str> {
    let Activity { kind: _, source_id: _, points: _, bonuses, title, subtitle, created_at } = found;
    let fields = [
        ("bonuses", *bonuses != expected.bonuses),
        ("another title", *title != expected.title),
        ("another number", *subtitle != expected.subtitle),
        ("another time", *created_at != expected.created_at),
    ];
    fields.into_iter().filter(|(_, is_other)| *is_other).map(|(field, _)| field).collect()
}
